import { NodeSecrets } from '@adapters/secrets.node-crypto';
import type { Retelling } from '@application/origin';
import { EVER, Engine } from '@ports/engine.port';
import { FakeClock } from '@testing/fake-clock';
import { FakeExpiringRecords } from '@testing/fake-expiring-records';
import type { Begun, HeldClaim } from './held-claim.js';
import { Idempotency } from './idempotency.js';

const ANSWER = { status: 200, headers: { 'content-type': 'application/json' }, body: '{"told":true}' };

let clock: FakeClock;
let records: FakeExpiringRecords;
let here: Idempotency;
const processOn = (leasesVoidBefore: number) =>
  new Idempotency(records, new NodeSecrets(new Uint8Array(32)), clock, { leasesVoidBefore } as Engine);

beforeEach(() => {
  clock = new FakeClock();
  records = new FakeExpiringRecords(clock);
  here = processOn(EVER);
});

function claimOf(begun: Begun): HeldClaim {
  if (begun.kind !== 'execute') throw new Error('the answer was replayed');
  return begun.claim;
}

const begin = (requestId: string) => here.begin({ scope: 'prj_1', key: 'k', request: 'POST /v1/messages\n{}', requestId });
const answered = (claim: HeldClaim, retelling: Retelling, status = 200) =>
  here.complete(claim, { ...ANSWER, status }, { open: true, retelling });
const isKept = ({ recordKey }: HeldClaim) => records.all.get(recordKey)?.value.includes('"told"');

describe('an answer that is kept', () => {
  it.each([true, false])('can be read where it is stored only if it is said to hold no secret (%s)', async (open) => {
    const claim = claimOf(await begin('req_1'));
    await here.complete(claim, ANSWER, { open, retelling: undefined });
    expect(isKept(claim)).toBe(open);
    expect(await begin('req_2')).toMatchObject({ kind: 'replay', answer: ANSWER });
  });
});

describe('an answer that can be told again from what is stored', () => {
  it('is not kept: whoever comes with the key carries the request out, in the name of the first', async () => {
    const first = claimOf(await begin('req_1'));
    await answered(first, 'possible');
    expect(isKept(first)).toBe(false);
    const second = claimOf(await begin('req_2'));
    expect(second).toMatchObject({ again: true, requestId: 'req_2', record: { requestId: 'req_1' } });
    expect(second.record.startedAt).toBe(first.record.startedAt);
  });

  it('is kept once it was told again, in the name of the first', async () => {
    await answered(claimOf(await begin('req_1')), 'possible');
    await answered(claimOf(await begin('req_2')), 'done');
    expect(await begin('req_3')).toEqual({ kind: 'replay', answer: ANSWER, originalRequest: 'req_1' });
  });

  it('is kept where other processes could not know that nobody executes it any more', async () => {
    here = processOn(0);
    await answered(claimOf(await begin('req_1')), 'possible');
    expect(await begin('req_2')).toMatchObject({ kind: 'replay', originalRequest: 'req_1' });
  });

  it('is kept where the claim itself is not durable', async () => {
    const claim = claimOf(await begin('req_1'));
    records.refusing = true;
    await expect(answered(claim, 'possible')).rejects.toThrow('the disk is full');
    expect(isKept(claim)).toBe(true);
  });

  it('is kept when another execution had begun before', async () => {
    await begin('req_1');
    here = processOn(EVER);
    await answered(claimOf(await begin('req_2')), 'possible');
    expect(await begin('req_3')).toMatchObject({ kind: 'replay', originalRequest: 'req_2' });
  });

  it('frees the claim at once for another request of this process', async () => {
    const first = claimOf(await begin('req_1'));
    const waiting = begin('req_2');
    await clock.advance(1);
    await answered(first, 'possible');
    expect((await waiting).kind).toBe('execute');
  });
});

describe('an answer that was told', () => {
  beforeEach(async () => answered(claimOf(await begin('req_1')), 'possible'));

  it('is told in the name of the first, though a repetition failed in between', async () => {
    await answered(claimOf(await begin('req_2')), 'possible', 504);
    const third = claimOf(await begin('req_3'));
    expect([third.requestId, third.record.requestId]).toEqual(['req_3', 'req_1']);
    await answered(third, 'done');
    expect(await begin('req_4')).toMatchObject({ kind: 'replay', originalRequest: 'req_1' });
  });

  it('is told again by a disk that takes nothing', async () => {
    records.refusing = true;
    const second = claimOf(await begin('req_2'));
    await answered(second, 'done');
    expect(second.record.requestId).toBe('req_1');
    expect(await begin('req_3')).toMatchObject({ kind: 'replay', originalRequest: 'req_1' });
  });
});

describe('an answer after a failure', () => {
  it.each(['possible', 'done'] as const)('is that of the request which got it (%s)', async (retelling) => {
    await answered(claimOf(await begin('req_1')), 'possible', 504);
    const second = claimOf(await begin('req_2'));
    expect([second.requestId, second.record.requestId]).toEqual(['req_2', 'req_2']);
    await answered(second, retelling);
    expect(await begin('req_3')).toMatchObject({ kind: 'replay', originalRequest: 'req_2' });
  });
});
