import { NodeCryptoSecrets } from '@adapters/secrets.node-crypto';
import { DomainError } from '@domain/kernel/domain-error';
import { pause } from '@ports/clock.port';
import { StoreUnavailable } from '@ports/event-store.port';
import { FakeClock } from '@testing/fake-clock';
import { FakeExpiringRecords } from '@testing/fake-expiring-records';
import { instancesOn } from '@testing/instances-on';
import { Idempotency, type BeginResult } from './idempotency.js';
import type { IdempotencyLock } from './idempotency-lock.js';

const HOUR = 3_600_000;
const REQUEST = {
  scope: 'prj_1',
  key: 'k',
  request: 'POST /v1/things\n{}',
  formerRequest: () => 'POST /v1/things\n{}',
  requestId: 'req_1',
};

let clock: FakeClock;
let records: FakeExpiringRecords;
const secrets = new NodeCryptoSecrets(new Uint8Array(32).fill(1));
/** A process that shares its engine. */
const oneProcess = () => new Idempotency(records, secrets, clock, instancesOn(records, clock));
/** The only process of its engine: every lease of an earlier process is void. */
const onlyProcess = () => new Idempotency(records, secrets, clock, instancesOn(records, clock, 'one'));

beforeEach(() => {
  clock = new FakeClock();
  records = new FakeExpiringRecords(clock);
});

function lockOf(begun: BeginResult): IdempotencyLock {
  if (begun.kind !== 'execute') throw new Error('the answer was replayed');
  return begun.lock;
}
/** Stores a record as another version or process would have left it. */
async function put(recordKey: string, value: string): Promise<void> {
  const { version, expiresAt } = (await records.get(recordKey))!;
  await records.replace(recordKey, version, value, expiresAt);
}
const answer = (status: number) => ({ status, headers: { 'content-type': 'application/json' }, body: `{"status":${status}}` });
const codeOfError = (error: unknown) => (error instanceof DomainError ? error.code : error);
const codeOf = (promise: Promise<unknown>) => promise.then(() => null, codeOfError);

describe('a claim', () => {
  it.each([200, 201, 404, 409, 412])('answered with %i is replayed with that answer', async (status) => {
    const here = oneProcess();
    await here.complete(lockOf(await here.begin(REQUEST)), answer(status));
    expect(await oneProcess().begin(REQUEST)).toEqual({ kind: 'replay', answer: answer(status), originalRequest: 'req_1' });
  });

  it('whose answer an earlier version kept whole as one sealed text is replayed with that answer', async () => {
    const { record, recordKey } = lockOf(await oneProcess().begin(REQUEST));
    const sealed = secrets.seal(JSON.stringify(answer(201)), `idempotency-answer${recordKey}`);
    await put(recordKey, JSON.stringify({ ...record, answer: sealed }));
    expect(await oneProcess().begin(REQUEST)).toEqual({ kind: 'replay', answer: answer(201), originalRequest: 'req_1' });
  });

  it('of an earlier version, which compared ignored and absent members too, is replayed with its answer', async () => {
    const former = 'POST /v1/things\n{"ignored":1,"notes":null}';
    const before = oneProcess();
    await before.complete(lockOf(await before.begin({ ...REQUEST, request: former })), answer(201));
    const after = { ...REQUEST, formerRequest: () => former };
    expect(await oneProcess().begin(after)).toMatchObject({ kind: 'replay', answer: answer(201) });
    expect(await codeOf(oneProcess().begin(REQUEST))).toBe('idempotency_key_reused');
  });

  it.each([500, 502, 503, 504])('answered with %i stays open, and its start stays the same', async (status) => {
    const here = oneProcess();
    const first = lockOf(await here.begin(REQUEST));
    await clock.advance(1_000);
    await here.complete(first, answer(status));
    const second = lockOf(await here.begin(REQUEST));
    expect([second.isRetry, second.record.startedAt]).toEqual([true, first.record.startedAt]);
  });

  it.each([400, 401, 403, 413, 429])('answered with %i was never made', async (status) => {
    const here = oneProcess();
    await here.complete(lockOf(await here.begin(REQUEST)), answer(status));
    const second = lockOf(await here.begin({ ...REQUEST, request: 'POST /v1/things\n{"corrected":true}' }));
    expect(second.isRetry).toBe(false);
  });

  it('of a process that died is taken over when its lease has run out, with its start', async () => {
    const dead = lockOf(await oneProcess().begin(REQUEST));
    clock.set(clock.now() + 10_000);
    const heir = lockOf(await oneProcess().begin(REQUEST));
    expect([heir.isRetry, heir.record.startedAt]).toEqual([true, dead.record.startedAt]);
  });

  it('that was taken over is forgotten 24 hours after its first start all the same', async () => {
    const { record } = lockOf(await oneProcess().begin(REQUEST));
    clock.set(record.startedAt + 10_000);
    const here = oneProcess();
    await here.complete(lockOf(await here.begin(REQUEST)), answer(200));
    clock.set(record.startedAt + 24 * HOUR);
    expect((await here.begin(REQUEST)).kind).toBe('execute');
  });

  it('that was executed before stays open when it is refused, since part of its work may be done', async () => {
    const here = oneProcess();
    const first = lockOf(await here.begin(REQUEST));
    await here.complete(first, answer(500));
    await here.complete(lockOf(await here.begin(REQUEST)), answer(400));
    const third = lockOf(await here.begin(REQUEST));
    expect([third.isRetry, third.record.startedAt]).toEqual([true, first.record.startedAt]);
  });

  it('is never taken over by the process that executes it, though the clock has jumped', async () => {
    const here = oneProcess();
    await here.begin(REQUEST);
    clock.set(clock.now() + 60_000);
    const refused = codeOf(here.begin(REQUEST));
    await clock.advance(2_100);
    expect(await refused).toBe('idempotency_key_in_use');
  });

  it('of a process that died is taken over at once by the only one, though the clock was set back', async () => {
    const dead = lockOf(await onlyProcess().begin(REQUEST));
    clock.set(clock.now() - HOUR);
    const heir = lockOf(await onlyProcess().begin(REQUEST));
    expect([heir.isRetry, heir.record.startedAt]).toEqual([true, dead.record.startedAt]);
  });

  it('of a process that died is taken over once, however many ask for it at the same time', async () => {
    await onlyProcess().begin(REQUEST);
    const replace = records.replace.bind(records);
    records.replace = async (...record) => {
      const replaced = await replace(...record);
      if (replaced) await pause(clock, 200);
      return replaced;
    };
    const here = onlyProcess();
    const asked = [1, 2, 3].map(() => here.begin(REQUEST).then(lockOf).catch(codeOfError));
    await clock.advance(3_000);
    const outcomes = await Promise.all(asked);
    expect(outcomes.filter((outcome) => outcome === 'idempotency_key_in_use')).toHaveLength(2);
  });

  it('that is still executed is kept for as long as it takes; others wait two seconds for it', async () => {
    const here = oneProcess();
    const claim = lockOf(await here.begin(REQUEST));
    await clock.advance(60_000);
    const refused = codeOf(oneProcess().begin(REQUEST));
    await clock.advance(1_999);
    expect(await Promise.race([refused, Promise.resolve('waiting')])).toBe('waiting');
    await clock.advance(1);
    expect(await refused).toBe('idempotency_key_in_use');
    const waiting = oneProcess().begin(REQUEST);
    await clock.advance(500);
    await here.complete(claim, answer(200));
    await clock.advance(200);
    expect((await waiting).kind).toBe('replay');
  });

  it('whose execution hangs for more than five minutes goes to who asks then', async () => {
    await oneProcess().begin(REQUEST);
    await clock.advance(5 * 60_000 + 13_000);
    expect(lockOf(await oneProcess().begin(REQUEST)).isRetry).toBe(true);
  });

  it('keeps its answer though the disk refused a renewal meanwhile', async () => {
    const here = oneProcess();
    const claim = lockOf(await here.begin(REQUEST));
    records.refusing = true;
    await clock.advance(4_000);
    records.refusing = false;
    await here.complete(claim, answer(200));
    expect(await oneProcess().begin(REQUEST)).toMatchObject({ kind: 'replay', answer: answer(200) });
  });

  it('answered is replayed until 24 hours are over', async () => {
    await oneProcess()
      .begin(REQUEST)
      .then((begun) => oneProcess().complete(lockOf(begun), answer(200)));
    clock.set(clock.now() + 24 * HOUR - 1);
    expect((await oneProcess().begin(REQUEST)).kind).toBe('replay');
  });

  it('is a new one after 24 hours', async () => {
    const here = oneProcess();
    const first = lockOf(await here.begin(REQUEST));
    await here.complete(first, answer(200));
    clock.set(clock.now() + 24 * HOUR);
    const second = lockOf(await here.begin({ ...REQUEST, request: 'anything else' }));
    expect([second.isRetry, second.record.startedAt > first.record.startedAt]).toEqual([false, true]);
  });

  it('belongs to its scope', async () => {
    const here = oneProcess();
    await here.complete(lockOf(await here.begin(REQUEST)), answer(200));
    expect((await here.begin({ ...REQUEST, scope: 'prj_2' })).kind).toBe('execute');
  });

  it('for another request is refused, finished or not', async () => {
    const here = oneProcess();
    const other = { ...REQUEST, request: 'POST /v1/others\n{}', formerRequest: () => 'POST /v1/others\n{}' };
    const claim = lockOf(await here.begin(REQUEST));
    expect(await codeOf(here.begin(other))).toBe('idempotency_key_reused');
    await here.complete(claim, answer(200));
    expect(await codeOf(here.begin(other))).toBe('idempotency_key_reused');
  });

  it('that is answered while its lease is being renewed is replayed with that answer', async () => {
    const here = oneProcess();
    const claim = lockOf(await here.begin(REQUEST));
    const replace = records.replace.bind(records);
    records.replace = async (...record) => {
      const replaced = await replace(...record);
      await pause(clock, 500);
      return replaced;
    };
    await clock.advance(3_000);
    const completed = here.complete(claim, answer(200));
    await clock.advance(1_000);
    await completed;
    expect(await oneProcess().begin(REQUEST)).toMatchObject({ kind: 'replay', answer: answer(200) });
  });

  it('that is answered is renewed no more', async () => {
    const here = oneProcess();
    await here.complete(lockOf(await here.begin(REQUEST)), answer(200));
    const replace = jest.spyOn(records, 'replace');
    await clock.advance(30_000);
    expect([replace.mock.calls, clock.pending]).toEqual([[], 0]);
  });

  it('is kept for as long as it takes also after a time in which there was none', async () => {
    const here = oneProcess();
    await here.complete(lockOf(await here.begin(REQUEST)), answer(200));
    await clock.advance(30_000);
    await here.begin({ ...REQUEST, key: 'later' });
    await clock.advance(60_000);
    const refused = codeOf(oneProcess().begin({ ...REQUEST, key: 'later' }));
    await clock.advance(2_100);
    expect(await refused).toBe('idempotency_key_in_use');
  });

  it('that another process has taken over is renewed no more', async () => {
    const { recordKey } = lockOf(await oneProcess().begin(REQUEST));
    const lost = (await records.get(recordKey))!;
    const replace = jest.spyOn(records, 'replace');
    clock.set(clock.now() + 10_000);
    lockOf(await oneProcess().begin(REQUEST));
    replace.mockClear();
    await clock.advance(30_000);
    expect(replace.mock.calls.filter(([, version]) => version === lost.version)).toHaveLength(1);
  });

  it('is told to whoever waits for it in this process as soon as it is answered', async () => {
    const here = oneProcess();
    const claim = lockOf(await here.begin(REQUEST));
    const waiting = here.begin(REQUEST);
    await clock.advance(1);
    await here.complete(claim, answer(200));
    expect((await waiting).kind).toBe('replay');
  });

  it('that was never made goes to who waited for it, and is kept from then on', async () => {
    const here = oneProcess();
    const refused = lockOf(await here.begin(REQUEST));
    const waiting = here.begin(REQUEST);
    await clock.advance(500);
    await here.complete(refused, answer(400));
    await here.complete(lockOf(await waiting), answer(200));
    clock.set(clock.now() + 23 * HOUR);
    expect(await here.begin(REQUEST)).toMatchObject({ kind: 'replay', answer: answer(200) });
  });

  it('is kept though its renewals take longer than the time between them', async () => {
    await oneProcess().begin(REQUEST);
    const replace = records.replace.bind(records);
    records.replace = async (...record) => {
      const replaced = await replace(...record);
      await pause(clock, 4_000);
      return replaced;
    };
    await clock.advance(60_000);
    const refused = codeOf(oneProcess().begin(REQUEST));
    await clock.advance(2_100);
    expect(await refused).toBe('idempotency_key_in_use');
  });

  it('is kept though the disk refused one of its renewals', async () => {
    await oneProcess().begin(REQUEST);
    jest.spyOn(records, 'replace').mockRejectedValueOnce(new StoreUnavailable('the disk is full'));
    await clock.advance(60_000);
    const refused = codeOf(oneProcess().begin(REQUEST));
    await clock.advance(2_100);
    expect(await refused).toBe('idempotency_key_in_use');
  });
});
