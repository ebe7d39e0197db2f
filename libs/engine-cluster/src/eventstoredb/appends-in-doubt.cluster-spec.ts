import { SystemClock } from '@adapters/clock.system';
import { batchOf, freshStream, textsOf } from '@ports/contracts/noted-events';
import { AppendOutcomeUnknown, StoreUnavailable, StreamMovedOn } from '@ports/event-store.port';
import { EventStoreDouble } from '@testing/event-store-double';
import { AppendTooLarge } from './append-batch.js';
import { type OpenEventStoreDb, openEventStoreDb } from './open-eventstoredb.js';

const SETTLES_WITHIN_MS = 5_000;
const FOR_EVER = { every: 1 };

async function timed(work: Promise<unknown>): Promise<{ outcome: unknown; ms: number }> {
  const begun = performance.now();
  const outcome: unknown = await work.catch((error: unknown) => error);
  return { outcome, ms: performance.now() - begun };
}

describe('an append', () => {
  let double: EventStoreDouble;
  let open: OpenEventStoreDb;
  beforeAll(async () => {
    double = await EventStoreDouble.start();
    open = await openEventStoreDb({ eventStoreUrl: double.url, prefix: '' }, new SystemClock());
  });
  afterEach(() => double.behave());
  afterAll(async () => {
    await open.close();
    await double.end();
  });
  const append = (kind: string, plan: object = {}) => {
    const stream = freshStream();
    const appended = double
      .misbehave({ call: 'append', kind, ...plan })
      .then(() => open.store.append(stream, batchOf('a', 'b'), 'none'));
    return { stream, ended: timed(appended) };
  };

  it.each([
    ['is never answered', 'silent', {}],
    ['is stored and never answered', 'commit, then silent', {}],
    ['is stored, and said to have timed out', 'commit, then timeout', { ms: 100 }],
    ['is stored when the server ends', 'commit, then unavailable', {}],
    ['comes to a server that is not ready', 'unavailable', {}],
    ['times out', 'timeout', {}],
  ])('that %s is sent again, and stored once', async (_, kind, plan) => {
    const { stream, ended } = append(kind, plan);
    expect((await ended).outcome).toMatchObject({ revision: 1 });
    expect(textsOf(await open.store.read(stream))).toEqual(['a', 'b']);
  });

  it('that comes to a follower goes to the leader', async () => {
    const { stream, ended } = append('notLeader', { host: '127.0.0.1', port: double.process.port });
    expect((await ended).outcome).toMatchObject({ revision: 1 });
    expect(textsOf(await open.store.read(stream))).toEqual(['a', 'b']);
  });

  it.each([
    ['silent', []],
    ['unavailable', []],
    ['commit, then silent', ['a', 'b']],
  ])('whose outcome nobody tells ends as unknown within 5 s: %s', async (kind, stored) => {
    const { stream, ended } = append(kind, FOR_EVER);
    const { outcome, ms } = await ended;
    expect(outcome).toBeInstanceOf(AppendOutcomeUnknown);
    expect(ms).toBeLessThan(SETTLES_WITHIN_MS);
    await double.behave();
    expect(textsOf(await open.store.read(stream))).toEqual(stored);
  });

  it('that the server refuses for a lack of rights is not sent again', async () => {
    const { outcome, ms } = await append('accessDenied', FOR_EVER).ended;
    expect(outcome).toBeInstanceOf(StoreUnavailable);
    expect(ms).toBeLessThan(1_000);
  });

  it('to a deleted stream has moved on', async () => {
    expect((await append('streamDeleted').ended).outcome).toBeInstanceOf(StreamMovedOn);
  });

  it('is written once when its twin comes before it is in the index', async () => {
    await double.process.ask('index after', 1_000);
    const stream = freshStream();
    const batch = batchOf('a');
    const twins = await Promise.all([1, 2, 3].map(() => open.store.append(stream, batch, 'none')));
    await double.process.ask('index after', 0);
    expect(new Set(twins.map(({ position }) => position)).size).toBe(1);
    expect(textsOf(await open.store.read(stream))).toEqual(['a']);
  });

  it('that no server takes is refused before it is sent', async () => {
    const { append: before } = await double.calls();
    const tooMuch = batchOf(...Array.from({ length: 9 }, () => 'x'.repeat(128 * 1024)));
    await expect(open.store.append(freshStream(), tooMuch, 'none')).rejects.toBeInstanceOf(AppendTooLarge);
    expect((await double.calls()).append).toBe(before);
  });

  it('that no server takes for its metadata alone is refused before it is sent', async () => {
    const { append: before } = await double.calls();
    const metadata = { $correlationId: 'x'.repeat(128 * 1024) };
    const tooMuch = batchOf(...'abcdefghi').map((event) => ({ ...event, metadata }));
    await expect(open.store.append(freshStream(), tooMuch, 'none')).rejects.toBeInstanceOf(AppendTooLarge);
    expect((await double.calls()).append).toBe(before);
  });

  it('of almost a megabyte is taken', async () => {
    const much = batchOf(...Array.from({ length: 7 }, () => 'x'.repeat(145 * 1024)));
    expect(await open.store.append(freshStream(), much, 'none')).toMatchObject({ revision: 6 });
  });

  it('of what is no JSON is refused, and later ones are taken', async () => {
    const [event] = batchOf('a');
    const broken = { ...event!, event: { ...event!.event, text: 1n as unknown as string } };
    await expect(open.store.append(freshStream(), [broken], 'none')).rejects.toThrow(TypeError);
    expect(await open.store.append(freshStream(), batchOf('a'), 'none')).toMatchObject({ revision: 0 });
  });

  it('to a server that is gone is unavailable within 5 s, since nothing was written', async () => {
    await double.process.kill();
    // Let the driver notice the outage first: what it sends before may have reached the server.
    await expect(open.store.read(freshStream())).rejects.toBeInstanceOf(StoreUnavailable);
    const { outcome, ms } = await timed(open.store.append(freshStream(), batchOf('a'), 'none'));
    expect(outcome).toBeInstanceOf(StoreUnavailable);
    expect(ms).toBeLessThan(SETTLES_WITHIN_MS);
    await double.process.restart();
    expect(await open.store.append(freshStream(), batchOf('a'), 'none')).toMatchObject({ revision: 0 });
  });
});
