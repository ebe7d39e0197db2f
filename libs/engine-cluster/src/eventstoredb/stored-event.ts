import type { AllStreamRecordedEvent, RecordedEvent } from '@eventstore/db-client';
import type { DomainEvent } from '@domain/kernel/decider';
import type { Envelope } from '@domain/kernel/envelope';
import type { Recorded } from '@ports/event-store.port';
import { positionOf } from './position.js';

/** The stream of the event that names the log; hidden from readers. */
export const NAME_STREAM = 'log-identity';

export function storedEvent<E extends DomainEvent>(event: RecordedEvent | AllStreamRecordedEvent, prefix: string): Recorded<E> {
  return {
    id: event.id,
    stream: event.streamId.slice(prefix.length),
    revision: Number(event.revision),
    position: positionOf(event.position),
    event: event.data as unknown as E,
    ...(event.metadata !== undefined && { metadata: event.metadata as unknown as Envelope }),
  };
}

/** Whether the application wrote this event. Deleting a stream leaves an event of the server in it. */
export function isOwn({ streamId, type }: AllStreamRecordedEvent, prefix: string): boolean {
  if (type.startsWith('$') || streamId.startsWith('$') || !streamId.startsWith(prefix)) return false;
  return streamId !== prefix + NAME_STREAM;
}
