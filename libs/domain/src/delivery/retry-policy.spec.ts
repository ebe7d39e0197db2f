import fc from 'fast-check';
import { verdictOn, type NetworkErrorCode } from './outcome.js';
import { firstDueAt, nextStep } from './retry-policy.js';
import type { RetrySchedule } from './retry-schedule.js';

const S = 1_000;
const M = 60 * S;
const H = 60 * M;
const waits = [0, 5 * S, 30 * S, 5 * M, 30 * M, 2 * H, 5 * H, 10 * H, 24 * H];
const schedule: RetrySchedule = { waits, mode: 'gap', jitter: 0.1 };
const exact: RetrySchedule = { ...schedule, jitter: 0 };
const offset: RetrySchedule = { ...exact, mode: 'offset' };
const refused = { kind: 'unreached', error: 'connection_refused' } as const;
const failing = { maxAttempts: 9, outcome: refused, firstStartedAt: 0, endedAt: 0, chance: 0, retryAfterMs: null };
const anyTime = fc.integer({ min: 0, max: 2e12 });
const anyChance = fc.double({ min: 0, max: 0.999, noNaN: true });

function dueAfter(of: RetrySchedule, attempt: number, endedAt: number, chance: number): number {
  const step = nextStep(of, { ...failing, attempt, endedAt, chance });
  return step.kind === 'retry' ? step.dueAt : NaN;
}

describe('an answer', () => {
  it.each([200, 201, 204, 299])('of %i is success', (status) => expect(verdictOn({ kind: 'answered', status })).toBe('success'));
  it.each([408, 429, 500, 502, 503, 599, 300, 301, 302, 307, 308, 103, 600])('of %i is worth another try', (status) =>
    expect(verdictOn({ kind: 'answered', status })).toBe('retry'),
  );
  it.each([400, 401, 403, 404, 409, 410, 422, 451, 499])('of %i is a permanent rejection', (status) =>
    expect(verdictOn({ kind: 'answered', status })).toBe('reject'),
  );
  it.each<NetworkErrorCode>([
    'timeout',
    'dns_error',
    'connection_refused',
    'connection_reset',
    'tls_error',
    'ssrf_blocked',
    'network_error',
  ])('that never came because of %s is worth another try', (error) =>
    expect(verdictOn({ kind: 'unreached', error })).toBe('retry'),
  );
});

describe('the retry schedule', () => {
  it('waits its nine waits one after another, 41 h 35 m 35 s in all', () => {
    let at = 0;
    const starts = [firstDueAt(schedule, at)];
    for (let attempt = 1; attempt < 9; attempt++) {
      const step = nextStep(exact, { ...failing, attempt, endedAt: at });
      at = step.kind === 'retry' ? step.dueAt : NaN;
      starts.push(at);
    }
    expect(starts).toEqual([0, 5, 35, 335, 2_135, 9_335, 27_335, 63_335, 149_735].map((s) => s * S));
    expect(nextStep(schedule, { ...failing, attempt: 9, endedAt: at })).toEqual({ kind: 'fail', reason: 'attempts_exhausted' });
  });
  it('begins with its first wait', () => expect(firstDueAt({ ...schedule, waits: [5 * S, M] }, 7)).toBe(7 + 5 * S));
  it('counts from the end of the attempt before', () =>
    expect(nextStep(exact, { ...failing, attempt: 1, endedAt: 15 * S })).toEqual({ kind: 'retry', dueAt: 20 * S }));
  it('counts from the first attempt when told so, but never into the past', () => {
    expect(nextStep(offset, { ...failing, attempt: 8, endedAt: 11 * H })).toEqual({ kind: 'retry', dueAt: 24 * H });
    expect(nextStep(offset, { ...failing, attempt: 1, endedAt: 15 * S })).toEqual({ kind: 'retry', dueAt: 15 * S });
  });
  it('goes on for deliveries scheduled under a longer one, each attempt as long after the one before as the last', () => {
    const shorter = { ...exact, waits: waits.slice(0, 3) };
    for (const schedule of [shorter, { ...shorter, mode: 'offset' as const }])
      expect(nextStep(schedule, { ...failing, attempt: 3, endedAt: H })).toEqual({ kind: 'retry', dueAt: H + 30 * S });
  });
  it('ends with success or a permanent rejection', () => {
    const answered = (status: number) => nextStep(schedule, { ...failing, attempt: 1, outcome: { kind: 'answered', status } });
    expect(answered(204)).toEqual({ kind: 'succeed' });
    expect(answered(410)).toEqual({ kind: 'fail', reason: 'permanent_rejection' });
  });
  it('is never early and at most a tenth or half a minute late', () =>
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), anyTime, anyChance, (attempt, endedAt, chance) => {
        const extra = dueAfter(schedule, attempt, endedAt, chance) - endedAt - waits[attempt]!;
        expect(extra).toBeGreaterThanOrEqual(0);
        expect(extra).toBeLessThanOrEqual(Math.min(30 * S, waits[attempt]! * 0.1));
      }),
    ));
  it('law: keeps nobody in a partition more than a second behind its due time for those before it', () =>
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 8 }),
        fc.constantFrom(0.1, 0.5, 1),
        anyTime,
        fc.array(fc.tuple(fc.oneof(fc.nat(5), fc.nat(2 * M)), anyChance), { minLength: 2 }),
        (attempt, jitter, begin, failures) => {
          let endedAt = begin;
          let offeredAt = 0;
          for (const [later, chance] of failures) {
            endedAt += later;
            const dueAt = dueAfter({ ...schedule, jitter }, attempt, endedAt, chance);
            offeredAt = Math.max(offeredAt, dueAt);
            expect(offeredAt - dueAt).toBeLessThanOrEqual(S);
          }
        },
      ),
    ));
  it('takes all of its jitter in the course of time, and some of it at any moment', () => {
    const extras = Array.from({ length: 60 }, (_, minute) => dueAfter(schedule, 4, minute * M, 0.5) - minute * M - 30 * M);
    expect(Math.min(...extras)).toBeLessThan(2 * S);
    expect(Math.max(...extras)).toBeGreaterThan(28 * S);
    expect(dueAfter(schedule, 4, M, 0.9) - dueAfter(schedule, 4, M, 0.1)).toBe(400);
    expect(dueAfter(schedule, 1, M, 0.9) - dueAfter(schedule, 1, M, 0.1)).toBe(400);
  });
  it('takes no chances when jitter is off', () =>
    expect(nextStep(exact, { ...failing, attempt: 4, chance: 0.9 })).toEqual({
      kind: 'retry',
      dueAt: 30 * M,
    }));
});

describe('a wait that the receiver asks for', () => {
  const dueAsked = (of: RetrySchedule, attempt: number, retryAfterMs: number, endedAt = 0) => {
    const step = nextStep(of, { ...failing, attempt, endedAt, retryAfterMs });
    return step.kind === 'retry' ? step.dueAt : NaN;
  };

  it('makes the next one longer, never shorter, by at most an hour', () => {
    expect([20 * S, 5 * S, 1 * S, 0, -10 * S].map((asked) => dueAsked(exact, 1, asked))).toEqual(
      [20, 5, 5, 5, 5].map((s) => s * S),
    );
    expect([H, H + 5 * S, 2 * H, Infinity].map((asked) => dueAsked(exact, 1, asked))).toEqual([H, ...Array(3).fill(H + 5 * S)]);
    expect(dueAsked(exact, 8, 48 * H, 7)).toBe(7 + 25 * H);
  });

  it('counts from the end of the attempt where the schedule counts from the first', () => {
    expect(dueAsked(offset, 1, 20 * S, 15 * S)).toBe(35 * S);
    expect(dueAsked(offset, 8, 2 * H, 11 * H)).toBe(24 * H);
    expect(dueAsked(offset, 8, 20 * H, 11 * H)).toBe(25 * H);
  });

  it('law: lies between the wait and an hour more, with jitter of at most a tenth or half a minute on top', () =>
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), fc.nat(48 * H), anyTime, anyChance, (attempt, asked, endedAt, chance) => {
        const wait = waits[attempt]!;
        const earliest = endedAt + Math.min(Math.max(wait, asked), wait + H);
        const step = nextStep(schedule, { ...failing, attempt, endedAt, chance, retryAfterMs: asked });
        const extra = (step.kind === 'retry' ? step.dueAt : NaN) - earliest;
        expect(extra).toBeGreaterThanOrEqual(0);
        expect(extra).toBeLessThanOrEqual(Math.min(30 * S, (earliest - endedAt) * 0.1));
      }),
    ));
});
