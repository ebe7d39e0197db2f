import { type EventData, jsonEvent, type JSONEventType } from '@eventstore/db-client';
import type { NewEvent } from '@ports/event-store.port';
import { ENGINE_CONSTANTS } from '../engine-constants.js';

const { mostAppendBytes } = ENGINE_CONSTANTS.eventStoreDb;

/** A batch that no server accepts. Nothing was written. */
export class AppendTooLarge extends Error {
  constructor(stream: string) {
    super(`append to ${stream}: more than ${mostAppendBytes} bytes`);
    this.name = 'AppendTooLarge';
  }
}

/** Throws `AppendTooLarge`, and whatever cannot be written as JSON: the driver would never settle such an append. */
export function appendBatch(stream: string, events: readonly NewEvent[]): EventData[] {
  if (events.length === 0) throw new RangeError(`append to ${stream}: no events`);
  let bytes = 0;
  for (const { event, text, metadata } of events) {
    bytes += Buffer.byteLength(text ?? JSON.stringify(event)) + 2 * event.type.length;
    if (metadata) bytes += Buffer.byteLength(JSON.stringify(metadata));
  }
  if (bytes > mostAppendBytes) throw new AppendTooLarge(stream);
  return events.map(({ id, event, metadata }) => {
    const data = event as unknown as JSONEventType['data'];
    return jsonEvent({ id, type: event.type, data, ...(metadata && { metadata }) });
  });
}
