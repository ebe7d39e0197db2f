import {
  type AllStreamSubscription,
  ANY,
  BACKWARDS,
  END,
  type EventData,
  FORWARDS,
  NO_STREAM,
  START,
  STREAM_EXISTS,
  StreamDeletedError,
  StreamNotFoundError,
  streamNameFilter,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import { status } from '@grpc/grpc-js';
import { eventually } from '@ports/contracts/eventually';
import { setTimeout as sleep } from 'node:timers/promises';
import { failureOf, type ServerClient } from './server-client.js';

const KIB = 1024;

const positionsOf = (events: readonly { position?: { commit: bigint } }[]) => events.map(({ position }) => position?.commit);
/** Resolves when the subscription says this. */
export const next = (emitter: AllStreamSubscription, event: string) =>
  new Promise<void>((resolve, reject) => {
    emitter.once(event as 'data', () => resolve());
    void sleep(2_000).then(() => reject(new Error(`no ${event}`)));
  });

/**
 * What the store on EventStoreDB is built on, and how a client sees it, whatever the server's version and however long its log. By
 * the names that the double has for its switches.
 */
export const SERVER_BEHAVIOURS: Readonly<Record<string, (server: ServerClient) => Promise<void>>> = {
  'a deleted stream refuses before anything else': async (server) => {
    const stream = server.stream();
    const first = server.events(1);
    await server.append(stream, first, NO_STREAM);
    await server.tombstone(stream);
    expect(await failureOf(server.append(stream, first, NO_STREAM))).toBeInstanceOf(StreamDeletedError);
    expect(await failureOf(server.append(stream, server.events(1), ANY))).toBeInstanceOf(StreamDeletedError);
  },
  'a missing stream has no revision': async (server) => {
    const failure = await failureOf(server.append(server.stream(), server.events(1), 0n));
    expect(failure).toBeInstanceOf(WrongExpectedVersionError);
    expect(failure).toMatchObject({ actualVersion: NO_STREAM, expectedVersion: 0n });
  },
  'a batch that is stored at its revision gets its first answer': async (server) => {
    const stream = server.stream();
    const [one, two] = [server.events(2), server.events(2)];
    const answers = [await server.append(stream, one, NO_STREAM), await server.append(stream, two, 1n)];
    expect([await server.append(stream, one, NO_STREAM), await server.append(stream, two, 1n)]).toEqual(answers);
    expect(await server.read(stream)).toHaveLength(4);
  },
  'a batch that is stored anywhere gets its first answer where any revision will do': async (server) => {
    const stream = server.stream();
    const batch = server.events(2);
    const first = await server.append(stream, batch, ANY);
    expect(await server.append(stream, batch, ANY)).toEqual(first);
    expect(await server.append(stream, batch, STREAM_EXISTS)).toEqual(first);
    expect(await server.read(stream)).toHaveLength(2);
  },
  'a batch that is stored in part is refused': async (server) => {
    const stream = server.stream();
    const [a, b, c] = server.events(3) as [EventData, EventData, EventData];
    await server.append(stream, [a, b], NO_STREAM);
    expect(await failureOf(server.append(stream, [a, b, c], NO_STREAM))).toBeInstanceOf(WrongExpectedVersionError);
    expect(await server.read(stream)).toHaveLength(2);
  },
  'a repeated batch is answered with its own position': async (server) => {
    const stream = server.stream();
    const batch = server.events(2);
    const { position } = await server.append(stream, batch, NO_STREAM);
    await server.append(stream, server.events(1), 1n);
    expect((await server.append(stream, batch, NO_STREAM)).position).toEqual(position);
    expect((await server.read(stream))[1]?.position).toEqual(position);
  },
  'the expected revision is checked': async (server) => {
    const stream = server.stream();
    await server.append(stream, server.events(2), NO_STREAM);
    for (const expected of [NO_STREAM, 0n, 2n] as const) {
      const failure = await failureOf(server.append(stream, server.events(1), expected));
      expect(failure).toMatchObject({ actualVersion: 1n, expectedVersion: expected });
    }
  },
  'positions have gaps of many sizes': async (server) => {
    const stream = server.stream();
    await server.append(
      stream,
      [1, 50, 400].flatMap((length) => server.events(1, 'x'.repeat(length))),
      NO_STREAM,
    );
    const [one = 0n, two = 0n, three = 0n] = positionsOf(await server.read(stream));
    expect(two - one).toBeGreaterThan(1n);
    expect(three - two).not.toBe(two - one);
  },
  'commit and prepare position are one': async (server) => {
    const stream = server.stream();
    const { position } = await server.append(stream, server.events(3), NO_STREAM);
    expect(position?.commit).toBe(position?.prepare);
    for (const event of await server.read(stream)) expect(event.position?.commit).toBe(event.position?.prepare);
  },
  'events of a stream have positions': async (server) => {
    const stream = server.stream();
    const { position } = await server.append(stream, server.events(3), NO_STREAM);
    const positions = positionsOf(await server.read(stream));
    expect(positions.at(-1)).toBe(position?.commit);
    expect(new Set(positions).size).toBe(3);
  },
  'the log forwards begins with its position': async (server) => {
    const stream = server.stream();
    await server.append(stream, server.events(3), NO_STREAM);
    const [, second] = await server.read(stream);
    const log = await server.log({ direction: FORWARDS, fromPosition: second!.position!, maxCount: 2 });
    expect(log.map(({ id }) => id)[0]).toBe(second!.id);
  },
  'the log backwards begins before its position': async (server) => {
    const stream = server.stream();
    await server.append(stream, server.events(3), NO_STREAM);
    const [first, second, third] = await server.read(stream);
    const log = await server.log({ direction: BACKWARDS, fromPosition: third!.position!, maxCount: 2 });
    expect(log.map(({ id }) => id)).toEqual([second!.id, first!.id]);
  },
  'system events are in the log': async (server) => {
    const log = await server.log({ direction: FORWARDS, fromPosition: START, maxCount: 20 });
    expect(log.some(({ type }) => type.startsWith('$'))).toBe(true);
  },
  'a deleted stream leaves an event with the highest revision': async (server) => {
    const stream = server.stream();
    await server.append(stream, server.events(2), NO_STREAM);
    await server.tombstone(stream);
    const log = await server.log({ direction: BACKWARDS, fromPosition: END, maxCount: 50 });
    expect(log.find(({ streamId }) => streamId === stream)).toMatchObject({ type: '$streamDeleted', revision: 2n ** 63n - 1n });
    expect(await failureOf(server.read(stream))).toBeInstanceOf(StreamDeletedError);
  },
  'a stream keeps as many events as its metadata says': async (server) => {
    const stream = server.stream();
    await server.append(stream, server.events(5), NO_STREAM);
    await server.keep(stream, 2);
    expect((await server.read(stream)).map(({ revision }) => revision)).toEqual([3n, 4n]);
    expect(await server.append(stream, server.events(1), 4n)).toMatchObject({ nextExpectedRevision: 5n });
  },
  'a missing stream is told apart from an empty one': async (server) => {
    expect(await failureOf(server.read(server.stream()))).toBeInstanceOf(StreamNotFoundError);
  },
  'a subscription is confirmed': async (server) => {
    const subscription = server.subscribe({ fromPosition: END });
    await next(subscription, 'confirmation');
    await subscription.unsubscribe();
  },
  'a subscription begins after its position': async (server) => {
    const stream = server.stream();
    await server.append(stream, server.events(3), NO_STREAM);
    const [, second, third] = await server.read(stream);
    const subscription = server.subscribe({ fromPosition: second!.position! });
    const ids: (string | undefined)[] = [];
    subscription.on('data', ({ event }) => ids.push(event?.id));
    await eventually(() => expect(ids).toContain(third!.id), 2_000);
    expect(ids).not.toContain(second!.id);
    await subscription.unsubscribe();
  },
  'a filtered subscription tells checkpoints': async (server) => {
    const stream = server.stream();
    const { position } = await server.append(stream, server.events(70), NO_STREAM);
    const [first] = await server.read(stream);
    const reached: bigint[] = [];
    const checkpointReached = (_: unknown, { commit }: { commit: bigint }) => void reached.push(commit);
    const filter = streamNameFilter({ prefixes: ['nobody-'], checkpointInterval: 1, checkpointReached });
    const subscription = server.subscribe({ fromPosition: first!.position!, filter });
    subscription.resume();
    await eventually(() => expect(reached.length).toBeGreaterThanOrEqual(2), 2_000);
    // Within the append, although others may append to a server that is shared; later ones may lie behind it.
    expect(reached.slice(0, 2).every((commit) => commit <= position!.commit)).toBe(true);
    await subscription.unsubscribe();
  },
  'a large append is refused': async (server) => {
    // Some take 1 MiB an append, others 16 MiB an event; the client has no class for the second refusal.
    const batches = [server.events(9, 'x'.repeat(128 * KIB)), server.events(1, 'x'.repeat(17 * 1024 * KIB))];
    const refusals: unknown[] = [];
    for (const batch of batches) {
      const stream = server.stream();
      const failure = await failureOf(server.append(stream, batch, NO_STREAM, 20_000));
      if (failure === undefined) continue;
      refusals.push((failure as { code?: number }).code);
      expect(await failureOf(server.read(stream))).toBeInstanceOf(StreamNotFoundError);
    }
    expect(refusals).toContain(status.INVALID_ARGUMENT);
  },
};
