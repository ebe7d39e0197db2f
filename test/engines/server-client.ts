import {
  type AllStreamSubscription,
  type ANY,
  BACKWARDS,
  END,
  type EventData,
  EventStoreDBClient,
  FORWARDS,
  jsonEvent,
  type NO_STREAM,
  START,
  type STREAM_EXISTS,
  type StreamingRead,
} from '@eventstore/db-client';
import { randomUUID } from 'node:crypto';

type Expected = bigint | typeof NO_STREAM | typeof ANY | typeof STREAM_EXISTS;

const credentials = { username: 'admin', password: 'changeit' };

/** A client of the server, as its tests use it. */
export class ServerClient {
  readonly stream = (): string => `note-${randomUUID()}`;
  private readonly client: EventStoreDBClient;

  constructor(url: string) {
    this.client = EventStoreDBClient.connectionString(url);
  }

  events(count: number, text = 'a'): EventData[] {
    return Array.from({ length: count }, (_, index) => jsonEvent({ type: 'Noted', data: { text: `${text}${index}` } }));
  }

  append(stream: string, events: EventData[], expectedRevision: Expected, deadline = 5_000) {
    return this.client.appendToStream(stream, events, { credentials, expectedRevision, deadline });
  }

  tombstone(stream: string) {
    return this.client.tombstoneStream(stream, { credentials });
  }

  keep(stream: string, maxCount: number) {
    return this.client.setStreamMetadata(stream, { maxCount }, { credentials });
  }

  read(stream: string, direction: typeof FORWARDS | typeof BACKWARDS = FORWARDS) {
    const fromRevision = direction === FORWARDS ? START : END;
    return all(this.client.readStream(stream, { credentials, direction, fromRevision }));
  }

  log(options: Parameters<EventStoreDBClient['readAll']>[0]) {
    return all(this.client.readAll({ credentials, ...options }));
  }

  subscribe(options: Parameters<EventStoreDBClient['subscribeToAll']>[0]): AllStreamSubscription {
    return this.client.subscribeToAll({ credentials, ...options }).on('error', () => undefined);
  }

  close() {
    return this.client.dispose();
  }
}

async function all<E>(read: StreamingRead<{ event?: E }>): Promise<readonly E[]> {
  const events: E[] = [];
  for await (const { event } of read) if (event) events.push(event);
  return events;
}

export const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(() => undefined).catch((error: unknown) => error);
