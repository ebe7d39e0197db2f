import fc from 'fast-check';
import { EndpointPace } from './endpoint-pace.js';

const LONG_AGO = { since: -60_000, isRevoked: false };
const S = 1_000;

/** A pace whose limit is known, as after an earlier attempt that sent nothing. */
function paceOf(limit: number | null, assignment = LONG_AGO): EndpointPace {
  const pace = new EndpointPace();
  pace.assign(assignment);
  const first = pace.begin(() => 0);
  first.found(limit);
  first.ended();
  return pace;
}

/** The most that lie in any span of this length, its end not counted. */
function mostWithin(times: readonly number[], span: number): number {
  return Math.max(0, ...times.map((from) => times.filter((at) => at >= from && at < from + span).length));
}

describe('the pace of an endpoint', () => {
  it('lets one attempt begin until its limit is known', () => {
    const pace = new EndpointPace();
    pace.assign(LONG_AGO);
    expect(pace.mayStart(0)).toBe(true);
    const attempt = pace.begin(() => 0);
    expect([pace.mayStart(0), pace.waitMs(0)]).toEqual([false, null]);
    expect([attempt.found(null), pace.mayStart(0), attempt.found(null)]).toEqual([true, true, false]);
  });

  it('limits nothing where there is no limit', () => {
    const pace = paceOf(null);
    for (let n = 0; n < 100; n++) expect(pace.begin(() => 0).sends()).toBe(false);
    expect([pace.mayStart(0), pace.isInitial]).toEqual([true, true]);
  });

  it('counts what was let begin and has not sent, until it ends without having sent', () => {
    const pace = paceOf(2);
    const [one, two] = [pace.begin(() => 0), pace.begin(() => 0)];
    expect(pace.waitMs(0)).toBeNull();
    one.ended();
    expect(pace.waitMs(0)).toBe(0);
    expect(two.sends()).toBe(true);
    two.ended();
    pace.begin(() => 0).sends();
    expect([pace.waitMs(10), pace.waitMs(1_010)]).toEqual([S, 0]);
  });

  it('begins three seconds after its partition was assigned', () => {
    const pace = paceOf(100, { since: 0, isRevoked: false });
    expect([pace.waitMs(0), pace.waitMs(2_999), pace.waitMs(3_000)]).toEqual([3_000, 1, 0]);
  });

  it('keeps to a limit that was lowered', () => {
    const pace = paceOf(10);
    for (let n = 0; n < 10; n++) pace.begin(() => n * 100).sends();
    pace.begin(() => 950).found(2);
    expect(pace.waitMs(950)).toBe(900 + 1_010 - 950);
  });

  const anyStep = fc.record({ passes: fc.oneof(fc.nat(50), fc.nat(3 * S)), claimMs: fc.nat(500), isSent: fc.boolean() });

  it('law: over any ten seconds at most ten times the limit are sent, a tenth of a second of network included', () =>
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.array(anyStep, { minLength: 50, maxLength: 300 }), (limit, steps) => {
        const pace = paceOf(limit);
        const sent: number[] = [];
        const under: { readonly at: number; readonly done: () => void }[] = [];
        let now = 0;
        for (const { passes, claimMs, isSent } of steps) {
          now += passes;
          for (const each of under.filter(({ at }) => at <= now)) each.done();
          under.splice(0, under.length, ...under.filter(({ at }) => at > now));
          while (pace.mayStart(now)) {
            const at = now + claimMs;
            const attempt = pace.begin(() => at);
            const done = () => (isSent && attempt.sends() ? void sent.push(at) : attempt.ended());
            if (claimMs === 0) done();
            else under.push({ at, done });
            if (!isSent) break;
          }
        }
        expect(mostWithin(sent, 10.1 * S)).toBeLessThanOrEqual(10 * limit);
      }),
      { numRuns: 60 },
    ));

  it('law: the same holds where a second process takes over, and learns of it a second before the first', () =>
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 0, max: 20 * S }), (limit, takenAt) => {
        const [first, second] = [paceOf(limit), paceOf(limit, { since: takenAt, isRevoked: false })];
        const sent: number[] = [];
        for (let now = 0; now < 40 * S; now += 10) {
          const owners = [...(now < takenAt + S ? [first] : []), ...(now >= takenAt ? [second] : [])];
          for (const pace of owners) while (pace.mayStart(now)) if (pace.begin(() => now).sends()) sent.push(now);
        }
        expect(mostWithin(sent, 10 * S)).toBeLessThanOrEqual(10 * limit);
        expect(sent.length).toBeGreaterThan(30 * limit);
      }),
      { numRuns: 30 },
    ));
});
