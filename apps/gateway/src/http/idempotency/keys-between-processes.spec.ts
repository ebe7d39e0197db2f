import { NodeCryptoSecrets } from '@adapters/secrets.node-crypto';
import { Logger } from '@nestjs/common';
import { StoreUnavailable } from '@ports/event-store.port';
import type { ExpiringRecord } from '@ports/expiring-records.port';
import { FakeClock } from '@testing/fake-clock';
import { FakeExpiringRecords } from '@testing/fake-expiring-records';
import { instancesOn } from '@testing/instances-on';
import { Idempotency, type BeginResult } from './idempotency.js';
import type { IdempotencyLock } from './idempotency-lock.js';

Logger.overrideLogger(false);

const REQUEST = {
  scope: 'prj_1',
  key: 'k',
  request: 'POST /v1/things\n{}',
  formerRequest: () => 'POST /v1/things\n{}',
  requestId: 'req_1',
};
const IN_USE = { code: 'idempotency_key_in_use' };
const answer = (text: string) => ({ status: 201, headers: {}, body: `"${text}"` });

type Gateway = Awaited<ReturnType<typeof gateway>>;

let clock: FakeClock;
let stored: Map<string, ExpiringRecord>;
let first: Gateway;
let second: Gateway;

async function gateway() {
  const records = new FakeExpiringRecords(clock, stored);
  const instances = instancesOn(records, clock);
  await instances.onModuleInit();
  const secrets = new NodeCryptoSecrets(new Uint8Array(32).fill(1));
  return { records, instances, keys: new Idempotency(records, secrets, clock, instances) };
}

beforeEach(async () => {
  clock = new FakeClock();
  stored = new Map();
  [first, second] = [await gateway(), await gateway()];
  // Within six seconds of its start a process treats every lease as valid.
  await clock.advance(10_000);
});

function lockOf(begun: BeginResult): IdempotencyLock {
  if (begun.kind !== 'execute') throw new Error('the answer was replayed');
  return begun.lock;
}
const begin = ({ keys }: Gateway) => keys.begin(REQUEST);
/** The result of a client that repeats its request until it succeeds, and how long it took. */
async function repeated(at: Gateway): Promise<{ readonly lock: IdempotencyLock; readonly tookMs: number }> {
  const from = clock.now();
  for (;;) {
    let begun: BeginResult | null = null;
    let isOver = false;
    const end = () => (isOver = true);
    void begin(at)
      .then((result) => (begun = result))
      .then(end, end);
    while (!isOver) await clock.advance(50);
    if (begun) return { lock: lockOf(begun), tookMs: clock.now() - from };
    await clock.advance(1_000);
  }
}

describe('a claim of another gateway', () => {
  it('that was killed is free as soon as that has no lease, whatever is left of its own', async () => {
    await begin(first);
    // The claim was renewed just before, and lasts for ten more seconds.
    await clock.advance(3_000);
    first.records.away = true;
    const { lock, tookMs } = await repeated(second);
    expect(lock.isRetry).toBe(true);
    expect(tookMs).toBeLessThanOrEqual(8_000);
  });

  it('that was killed is kept by a request that has joined it, as soon as that has no lease', async () => {
    const joining = { ...REQUEST, joins: true };
    await first.keys.begin(joining);
    first.records.away = true;
    const begun = await second.keys.begin(joining);
    if (begun.kind !== 'join') throw new Error(`the request did not join: ${begun.kind}`);
    const completed = second.keys.complete(begun.joined, answer('counts'));
    await clock.advance(8_000);
    expect(await completed).toBeNull();
    expect(await second.keys.begin(joining)).toMatchObject({ kind: 'replay', answer: answer('counts') });
  });

  it('that has ended is free at once', async () => {
    await begin(first);
    await first.instances.onApplicationShutdown();
    expect((await repeated(second)).tookMs).toBeLessThanOrEqual(100);
  });

  it('that lives is not free, and is waited for by reads alone', async () => {
    await begin(first);
    const writes = [jest.spyOn(second.records, 'create'), jest.spyOn(second.records, 'replace')];
    const refused = begin(second).catch((error: unknown) => error);
    await clock.advance(2_500);
    expect(await refused).toMatchObject(IN_USE);
    const ofTheKey = writes.map(({ mock }) => mock.calls.filter(([key]) => key !== 'instances').length);
    expect(ofTheKey).toEqual([1, 0]);
  });

  it('is not free while the leases cannot be read', async () => {
    const { recordKey } = lockOf(await begin(first));
    const get = second.records.get.bind(second.records);
    second.records.get = (key) => (key === recordKey ? get(key) : Promise.reject(new StoreUnavailable('away')));
    const refused = begin(second).catch((error: unknown) => error);
    await clock.advance(2_500);
    expect(await refused).toMatchObject(IN_USE);
  });

  it('that dropped it is made anew', async () => {
    const lock = lockOf(await begin(first));
    const waiting = begin(second);
    await clock.advance(500);
    await first.keys.complete(lock, { status: 400, headers: {}, body: '{}' });
    await clock.advance(200);
    expect(lockOf(await waiting).isRetry).toBe(false);
  });
});

describe('an execution whose key another one has taken over', () => {
  async function takenOver() {
    const late = lockOf(await begin(first));
    first.records.away = true;
    const { lock } = await repeated(second);
    first.records.away = false;
    await clock.advance(2_000);
    return { late, lock };
  }

  it('does not tell its own answer, which nobody could replay', async () => {
    const { late, lock } = await takenOver();
    await expect(first.keys.complete(late, answer('late'))).rejects.toMatchObject(IN_USE);
    await second.keys.complete(lock, answer('counts'));
    expect(await begin(first)).toMatchObject({ kind: 'replay', answer: answer('counts') });
  });

  it('may fail as it likes, and changes nothing', async () => {
    const { late, lock } = await takenOver();
    await first.keys.complete(late, { ...answer('failed'), status: 500 });
    await second.keys.complete(lock, answer('counts'));
    expect(await begin(first)).toMatchObject({ kind: 'replay', answer: answer('counts') });
  });
});

it('an answer is kept though the outcome of a renewal is unknown', async () => {
  const lock = lockOf(await begin(first));
  first.records.refusing = true;
  const get = jest.spyOn(first.records, 'get').mockRejectedValue(new StoreUnavailable('away'));
  await clock.advance(3_000);
  first.records.refusing = false;
  get.mockRestore();
  await first.keys.complete(lock, answer('kept'));
  expect(await begin(second)).toMatchObject({ kind: 'replay', answer: answer('kept') });
});

it('a request with a key is refused at once while the records are away, and taken soon after they are back', async () => {
  first.records.away = true;
  await clock.advance(2_000);
  const asked = jest.spyOn(first.records, 'create');
  await expect(begin(first)).rejects.toBeInstanceOf(StoreUnavailable);
  expect(asked).not.toHaveBeenCalled();
  first.records.away = false;
  await clock.advance(2_000);
  expect((await begin(first)).kind).toBe('execute');
});
