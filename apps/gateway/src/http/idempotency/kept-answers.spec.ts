import { NodeCryptoSecrets } from '@adapters/secrets.node-crypto';
import { StoreUnavailable } from '@ports/event-store.port';
import { FakeClock } from '@testing/fake-clock';
import { FakeExpiringRecords } from '@testing/fake-expiring-records';
import { instancesOn } from '@testing/instances-on';
import { Idempotency, type BeginResult } from './idempotency.js';
import type { IdempotencyLock } from './idempotency-lock.js';

const ANSWER = { status: 200, headers: { 'content-type': 'application/json' }, body: '{"told":true}' };

let clock: FakeClock;
let records: FakeExpiringRecords;
let here: Idempotency;
const restarted = () =>
  new Idempotency(records, new NodeCryptoSecrets(new Uint8Array(32)), clock, instancesOn(records, clock, 'one'));

beforeEach(() => {
  clock = new FakeClock();
  records = new FakeExpiringRecords(clock);
  here = restarted();
});

function lockOf(begun: BeginResult): IdempotencyLock {
  if (begun.kind !== 'execute') throw new Error('the answer was replayed');
  return begun.lock;
}

const begin = (requestId: string) =>
  here.begin({
    scope: 'prj_1',
    key: 'k',
    request: 'POST /v1/messages\n{}',
    formerRequest: () => 'POST /v1/messages\n{}',
    requestId,
  });
const fail = async (requestId: string) => here.complete(lockOf(await begin(requestId)), { ...ANSWER, status: 504 });

describe('an answer that is kept', () => {
  it.each([true, false])('can be read where it is stored only if it is said to hold no secret (%s)', async (open) => {
    const lock = lockOf(await begin('req_1'));
    await here.complete(lock, ANSWER, { open });
    expect(records.all.get(lock.recordKey)?.value.includes('"told"')).toBe(open);
    expect(await begin('req_2')).toMatchObject({ kind: 'replay', answer: ANSWER });
  });

  it('is replayed by the next process as it was', async () => {
    await here.complete(lockOf(await begin('req_1')), ANSWER);
    here = restarted();
    expect(await begin('req_2')).toEqual({ kind: 'replay', answer: ANSWER, originalRequest: 'req_1' });
  });
});

describe('a claim without an answer that nobody executes any more', () => {
  /** A process died during execution, or version 0.1.0 answered without storing the answer. */
  beforeEach(async () => {
    await begin('req_1');
    here = restarted();
  });

  it('is executed again, and names the request that may have had its answer', async () => {
    const lock = lockOf(await begin('req_2'));
    expect([lock.isRetry, lock.requestId, lock.originalRequest]).toEqual([true, 'req_2', 'req_1']);
  });

  it('keeps an answer that is told again in the name of the first request', async () => {
    await here.complete(lockOf(await begin('req_2')), ANSWER, { originalRequest: 'req_1' });
    expect(await begin('req_3')).toEqual({ kind: 'replay', answer: ANSWER, originalRequest: 'req_1' });
  });

  it('keeps an answer that is given only now in the name of the request which got it', async () => {
    await here.complete(lockOf(await begin('req_2')), ANSWER);
    expect(await begin('req_3')).toEqual({ kind: 'replay', answer: ANSWER, originalRequest: 'req_2' });
  });

  it('names its first request still, when a repetition has failed in between', async () => {
    await fail('req_2');
    expect(lockOf(await begin('req_3')).originalRequest).toBe('req_1');
  });

  it('is not taken over on a disk that takes nothing', async () => {
    records.refusing = true;
    await expect(begin('req_2')).rejects.toBeInstanceOf(StoreUnavailable);
    records.refusing = false;
    expect(lockOf(await begin('req_3')).isRetry).toBe(true);
  });
});

describe('a claim whose requests were all told of a failure', () => {
  it('is executed again in the name of the request which does', async () => {
    await fail('req_1');
    const lock = lockOf(await begin('req_2'));
    expect([lock.isRetry, lock.originalRequest]).toEqual([true, null]);
    await here.complete(lock, ANSWER);
    expect(await begin('req_3')).toMatchObject({ kind: 'replay', originalRequest: 'req_2' });
  });
});

describe('a claim that the disk refuses', () => {
  it('executes nothing; the retry does, with the same start', async () => {
    const startedAt = clock.now();
    records.refusing = true;
    await expect(begin('req_1')).rejects.toBeInstanceOf(StoreUnavailable);
    records.refusing = false;
    await clock.advance(1_000);
    expect(lockOf(await begin('req_2')).record.startedAt).toBe(startedAt);
  });
});
