import {
  ANY,
  type AppendResult,
  BACKWARDS,
  binaryEvent,
  END,
  type EventData,
  EventStoreDBClient,
  FORWARDS,
  jsonEvent,
  NO_STREAM,
  type Position,
  type RecordedEvent as ReadEvent,
  START,
  STREAM_EXISTS,
  streamNameFilter,
} from '@eventstore/db-client';
import { eventually } from '@ports/contracts/eventually';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { Answers } from './answers.js';
import type { Recorded, RecordedCall, RecordedEvent, Told } from './recorded.js';

const credentials = { username: 'admin', password: 'changeit' };
/** The whole log of a replay is shorter. */
const MAX_LOG_EVENTS = 5_000;
/** One of two equal appends at once may stay without an answer for good. */
const TWIN_DEADLINE_MS = 1_000;
/** For what a subscription should not say. */
const SURPLUS_MS = 200;
const MAX_WAIT_MS = 5_000;

type Operation = (call: RecordedCall, answer: unknown) => Promise<unknown>;

/** Makes the calls of a recording again, one after the other, on a fresh server. */
export class Replay {
  private readonly client: EventStoreDBClient;
  private readonly answers = new Answers();
  private readonly operations: Readonly<Record<string, Operation>> = {
    append: async (call) => this.answers.ofAppend(await this.append(call)),
    read: (call) => this.read(call),
    all: (call) => this.readAll(call),
    delete: async ({ stream, expect }) => this.answers.ofDeletion(await this.client.deleteStream(stream, deletion(expect))),
    tombstone: async ({ stream, expect }) => this.answers.ofDeletion(await this.client.tombstoneStream(stream, deletion(expect))),
    setMetadata: async ({ stream, metadata, expect }) => {
      const options = { credentials, expectedRevision: revisionOf(expect) };
      return this.answers.ofMetadata(await this.client.setStreamMetadata(stream, metadata, options));
    },
    getMetadata: async ({ stream }) => {
      const { streamName, metadata = null } = await this.client.getStreamMetadata(stream, { credentials });
      return { stream: streamName, metadata };
    },
    twins: (call) => this.twins(call),
    subscribe: (call, answer) => this.subscribe(call, answer as Told),
  };

  constructor(url: string) {
    this.client = EventStoreDBClient.connectionString(url);
  }

  /** Resolves to the answers of all calls, in the form of the recordings. */
  async run(recorded: readonly Recorded[]): Promise<readonly unknown[]> {
    const given: unknown[] = [];
    for (const { call, answer } of recorded) given.push(await this.make(call, answer));
    return this.answers.numbered(given);
  }

  close(): Promise<void> {
    return this.client.dispose();
  }

  private async make(call: RecordedCall, answer: unknown): Promise<unknown> {
    if (call.afterMs !== undefined) await sleep(call.afterMs);
    return this.operations[call.op]!(call, answer).catch((error: unknown) => this.answers.ofFailure(error));
  }

  private append({ stream, events, expect }: RecordedCall, deadline = 10_000): Promise<AppendResult> {
    const proposed = events.map((event) => proposal(event, this.answers.idOf(event.id)));
    return this.client.appendToStream(stream, proposed, { credentials, expectedRevision: revisionOf(expect), deadline });
  }

  private async read({ stream, direction = FORWARDS, from, max }: RecordedCall): Promise<unknown> {
    const revision = typeof from === 'object' ? from.revision : undefined;
    const edge = direction === BACKWARDS ? (END as typeof END) : (START as typeof START);
    const fromRevision = revision === undefined ? edge : BigInt(revision);
    const options = { credentials, direction, fromRevision, ...(max === undefined ? {} : { maxCount: max }) };
    return this.answers.ofEvents(await eventsOf(this.client.readStream(stream, options)));
  }

  private async readAll({ direction = FORWARDS, from, only, first }: RecordedCall): Promise<unknown> {
    const options = { credentials, direction, fromPosition: this.positionOf(from), maxCount: MAX_LOG_EVENTS };
    const events = await eventsOf(this.client.readAll(options));
    const names = only.flatMap((name) => [name, `$$${name}`]);
    return this.answers.ofEvents(events.filter(({ streamId }) => names.includes(streamId)).slice(0, first));
  }

  private async twins(call: RecordedCall): Promise<unknown> {
    const [first, ...others] = (await Promise.allSettled([1, 2].map(() => this.append(call, TWIN_DEADLINE_MS))))
      .map((twin) => (twin.status === 'fulfilled' ? this.answers.ofAppend(twin.value) : this.answers.ofFailure(twin.reason)))
      .sort((one) => ('success' in one ? -1 : 1));
    const silent = { error: 'deadline-exceeded' };
    const isOne = others.every((other) => isDeepStrictEqual(other, first) || isDeepStrictEqual(other, silent));
    const stored = await eventsOf(this.client.readStream(call.stream, { credentials }));
    this.answers.ofEvents(stored);
    const told = isOne ? 'the same answer, or none before the deadline' : 'another answer';
    return { answered: 'success' in first!, others: told, stored: stored.length };
  }

  private async subscribe({ from, filter, then = [] }: RecordedCall, answer: Told): Promise<Told> {
    const told: string[] = [];
    let checkpoints = false;
    const prefixes = filter.streams;
    const checkpointReached = () => void (checkpoints = true);
    const subscription = this.client
      .subscribeToAll({
        credentials,
        fromPosition: this.positionOf(from),
        filter: streamNameFilter({ prefixes, checkpointReached }),
      })
      .on('confirmation', () => told.push('confirmed'))
      .on('caughtUp' as 'confirmation', () => told.push('caught up'))
      .on('data', ({ event }) => told.push(this.answers.nameOf(event!.id)))
      .on('error', (error) => told.push(error.name));
    await until(() => told.includes('caught up'));
    for (const call of then) await this.make(call, undefined);
    await until(() => told.length >= answer.told.length);
    await sleep(SURPLUS_MS);
    await subscription.unsubscribe();
    return { told, checkpoints };
  }

  private positionOf(from: RecordedCall['from']): Position | typeof START | typeof END {
    if (typeof from !== 'object') return from ?? START;
    return this.answers.positionOf(from.event!);
  }
}

/** Waits for it, and no longer than answers of a server take. */
async function until(isSo: () => boolean): Promise<void> {
  const check = () => {
    if (!isSo()) throw new Error('not yet');
  };
  await eventually(check, MAX_WAIT_MS).catch(() => undefined);
}

function revisionOf(expected: string = ANY): bigint | typeof ANY | typeof NO_STREAM | typeof STREAM_EXISTS {
  if (expected === ANY || expected === NO_STREAM || expected === STREAM_EXISTS) return expected;
  return BigInt(expected);
}

/** The client passes on what its types refuse, too. */
const deletion = (expected?: string) => ({ credentials, expectedRevision: revisionOf(expected) as typeof ANY });

function proposal({ type, data = {}, big, bytes, metadata }: RecordedEvent, id: string): EventData {
  const more = metadata === undefined ? { id, type } : { id, type, metadata };
  if (bytes !== undefined) return binaryEvent({ ...more, data: Buffer.alloc(bytes, 7) } as never);
  return jsonEvent({ ...more, data: big === undefined ? data : { text: 'x'.repeat(big) } } as never);
}

async function eventsOf(read: AsyncIterable<{ event?: ReadEvent }>): Promise<ReadEvent[]> {
  const events: ReadEvent[] = [];
  for await (const { event } of read) if (event) events.push(event);
  return events;
}
