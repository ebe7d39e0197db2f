import { jsonEvent, NO_STREAM, type RecordedEvent } from '@eventstore/db-client';
import { EngineNotOpened } from '@ports/engine.port';
import type { Position } from '@ports/event-store.port';
import { randomUUID } from 'node:crypto';
import type { Connection } from './connection.js';
import { failureMeaning } from './failure-meaning.js';
import { positionOf, PositionUnusable } from './position.js';
import { NAME_STREAM } from './stored-event.js';

const TYPE = 'LogNamed';

export interface LogName {
  readonly name: string;
  /** The position of the naming event. All events of the application come later. */
  readonly beginning: Position;
}

/**
 * The name of the log: the id of an event that the first process writes before anything else. Reading it back shows whether the server
 * reports positions in streams; before 22.6 none does, and this rejects with `EngineNotOpened`.
 */
export async function logName(connection: Connection, prefix: string, withinMs: number): Promise<LogName> {
  const stream = prefix + NAME_STREAM;
  const stored = await read(connection, stream, withinMs);
  if (stored !== undefined) return stored;
  const event = jsonEvent({ id: randomUUID(), type: TYPE, data: {} });
  await connection
    .call(withinMs, (client, options) => client.appendToStream(stream, event, { ...options, expectedRevision: NO_STREAM }))
    .catch((error: unknown) => {
      if (failureMeaning(error) !== 'moved on') throw error;
    });
  const name = await read(connection, stream, withinMs);
  if (name === undefined) throw new Error(`${stream} is empty after an append`);
  return name;
}

async function read(connection: Connection, stream: string, withinMs: number): Promise<LogName | undefined> {
  const events = await connection
    .read(withinMs, (client, options) => client.readStream(stream, { ...options, maxCount: 1 }))
    .catch((error: unknown) => {
      if (failureMeaning(error) !== 'absent') throw error;
      return [];
    });
  const event = events[0]?.event;
  return event && { name: event.id, beginning: verifiedPosition(event) };
}

function verifiedPosition({ position }: RecordedEvent): Position {
  try {
    return positionOf(position);
  } catch (error) {
    if (!(error instanceof PositionUnusable)) throw error;
    throw new EngineNotOpened(`EventStoreDB 22.10 or later is needed: ${error.message}`);
  }
}
