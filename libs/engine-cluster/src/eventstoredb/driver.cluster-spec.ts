import {
  type AllStreamSubscription,
  ANY,
  CancelledError,
  DeadlineExceededError,
  EventStoreDBClient,
  jsonEvent,
  NO_STREAM,
  NotLeaderError,
  StreamDeletedError,
  StreamNotFoundError,
  TimeoutError,
  UnavailableError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import { eventually } from '@ports/contracts/eventually';
import { freshStream } from '@ports/contracts/noted-events';
import { EventStoreDouble } from '@testing/event-store-double';
import { setTimeout as sleep } from 'node:timers/promises';
import { failureMeaning } from './failure-meaning.js';

const credentials = { username: 'admin', password: 'changeit' };
const DEADLINE_MS = 400;
const PATIENCE_MS = 1_500;
const PENDING = Symbol('pending');

/** The behaviour of the driver that the store relies on; a new version may differ. */
describe('the driver of EventStoreDB', () => {
  let double: EventStoreDouble;
  let client: EventStoreDBClient;
  const connect = () => EventStoreDBClient.connectionString(double.url);
  beforeEach(async () => {
    double = await EventStoreDouble.start();
    client = connect();
  });
  afterEach(async () => {
    await client.dispose();
    await double.end();
  });
  const event = () => jsonEvent({ type: 'Noted', data: { text: 'a' } });
  const append = (options: object = { credentials }, stream = freshStream()) =>
    client.appendToStream(stream, event(), { expectedRevision: NO_STREAM, ...options });
  const failureOf = (work: Promise<unknown>) => work.catch((error: unknown) => error);
  const soon = (work: Promise<unknown>) => Promise.race([failureOf(work), sleep(PATIENCE_MS).then(() => PENDING)]);
  const subscribed = async () => {
    const subscription = client.subscribeToAll({ credentials });
    const ended = failureOf(
      (async () => {
        for await (const each of subscription) void each;
      })(),
    );
    await eventually(async () => expect((await double.calls()).subscribe).toBe(1));
    return { subscription, ended };
  };

  it('appends by one call where it has credentials, and asks for no capabilities', async () => {
    await append();
    expect(await double.calls()).toMatchObject({ append: 1, batchAppend: 0, features: 0 });
  });

  it('keeps the deadline of such an append', async () => {
    await double.misbehave({ call: 'append', kind: 'silent' });
    expect(await soon(append({ credentials, deadline: DEADLINE_MS }))).toBeInstanceOf(DeadlineExceededError);
  });

  it('waits for ever, whatever the deadline, where it appends without credentials', async () => {
    expect(await soon(append({ deadline: DEADLINE_MS }))).toBe(PENDING);
    expect(await double.calls()).toMatchObject({ append: 0, batchAppend: 1, features: 1 });
  });

  it('gives a read no deadline', async () => {
    await double.misbehave({ call: 'read', kind: 'silent' });
    const read = client.readAll({ credentials, deadline: DEADLINE_MS });
    expect(await soon(read[Symbol.asyncIterator]().next())).toBe(PENDING);
    await read.cancel();
  });

  it('says of a call that it never had a connection, and only then', async () => {
    await append();
    await double.misbehave({ call: 'append', kind: 'unavailable' });
    expect(failureMeaning(await failureOf(append()))).toBe('unknown');
    await double.process.kill();
    await failureOf(append());
    const failure = await failureOf(append());
    expect(failure).toBeInstanceOf(UnavailableError);
    expect(failureMeaning(failure)).toBe('not sent');
  });

  it('says of a call whose connection is lost no such thing', async () => {
    await append();
    await double.misbehave({ call: 'append', kind: 'silent' });
    const failed = failureOf(append());
    await sleep(100);
    await double.process.kill();
    expect(failureMeaning(await failed)).toBe('unknown');
  });

  it('says the failures of an append by their classes', async () => {
    const stream = freshStream();
    await append({ credentials }, stream);
    expect(await failureOf(append({ credentials }, stream))).toBeInstanceOf(WrongExpectedVersionError);
    await double.misbehave({ call: 'append', kind: 'timeout' });
    expect(await failureOf(append())).toBeInstanceOf(TimeoutError);
    await client.tombstoneStream(stream, { credentials });
    expect(await failureOf(append({ credentials, expectedRevision: ANY }, stream))).toBeInstanceOf(StreamDeletedError);
    const read = async (name: string) => {
      for await (const each of client.readStream(name, { credentials })) void each;
    };
    expect(await failureOf(read(stream))).toBeInstanceOf(StreamDeletedError);
    expect(await failureOf(read(freshStream()))).toBeInstanceOf(StreamNotFoundError);
  });

  it('goes to the leader that a follower names, by itself', async () => {
    const leader = await EventStoreDouble.start();
    await double.misbehave({ call: 'append', kind: 'notLeader', host: '127.0.0.1', port: leader.process.port });
    expect(await failureOf(append())).toBeInstanceOf(NotLeaderError);
    await append();
    expect((await leader.calls()).append).toBe(1);
    await leader.end();
  });

  it('ends a subscription without an error when the server ends it', async () => {
    const { ended } = await subscribed();
    await double.process.ask('subscriptions', 'end');
    expect(await soon(ended)).toBeUndefined();
  });

  it.each([
    ['cancelled', CancelledError],
    ['unavailable', UnavailableError],
  ])('fails a subscription that the server drops: %s', async (kind, failure) => {
    const { ended } = await subscribed();
    await double.process.ask('subscriptions', kind);
    expect(await soon(ended)).toBeInstanceOf(failure);
  });

  it('never subscribes again by itself', async () => {
    const { ended } = await subscribed();
    await double.process.kill();
    await ended;
    await double.process.restart();
    await append();
    await sleep(200);
    expect((await double.calls()).subscribe).toBe(0);
  });

  it('says nothing to one who listens for errors when the subscription is left', async () => {
    const { subscription } = await subscribed();
    const errors: unknown[] = [];
    (subscription as AllStreamSubscription).on('error', (error) => errors.push(error));
    await subscription.unsubscribe();
    await sleep(200);
    expect(errors).toEqual([]);
  });

  it('connects again within 2 s after the server was away for longer', async () => {
    await append();
    await double.process.kill();
    for (let tries = 0; tries < 20; tries += 1) {
      await failureOf(append());
      await sleep(250);
    }
    await double.process.restart();
    const begun = performance.now();
    await eventually(() => append().then(() => undefined), 2_000);
    expect(performance.now() - begun).toBeLessThan(2_000);
  });
});
