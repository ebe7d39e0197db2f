import fc from 'fast-check';
import type { RetrySchedule } from './retry-schedule.js';
import { FIRST_TOPIC, heldUntil, tierName, tiersOf, topicFor } from './tiers.js';

const S = 1_000;
const M = 60 * S;
const H = 60 * M;
const waits = [0, 5 * S, 30 * S, 5 * M, 30 * M, 2 * H, 5 * H, 10 * H, 24 * H];
const schedule: RetrySchedule = { waits, mode: 'gap', jitter: 0.1 };
const offset: RetrySchedule = { ...schedule, mode: 'offset' };
const NOW = Date.UTC(2026, 2, 1, 9);

const names = (of: RetrySchedule) => tiersOf(of).map(({ name }) => name);
const retry = (name: string) => `${FIRST_TOPIC}.retry.${name}`;
const anySchedule = fc.record<RetrySchedule>({
  waits: fc.array(fc.oneof(fc.constantFrom(0, S, 5 * S, 30 * S, 5 * M, H), fc.nat(2 * H)), { minLength: 1, maxLength: 8 }),
  mode: fc.constantFrom('gap', 'offset'),
  jitter: fc.constantFrom(0, 0.1, 1),
});
const anyLeft = fc.oneof(fc.nat(10 * S), fc.nat(3 * H));

describe('tiers', () => {
  it('are the waits of the schedule, shortest first and each once', () => {
    expect(names(schedule)).toEqual(['5s', '30s', '5m', '30m', '2h', '5h', '10h', '24h']);
    expect(names({ ...schedule, waits: [0, 30 * S, 5 * S, 0, 30 * S] })).toEqual(['5s', '30s']);
  });
  it('are the differences of its entries where these count from the first attempt', () => {
    expect(names(offset)).toEqual(['5s', '25s', '270s', '25m', '90m', '3h', '5h', '14h']);
    expect(names({ ...offset, waits: [0, 2 * S, 2 * S, S, 30 * S] })).toEqual(['2s', '29s']);
  });
  it('are also for a wait before the first attempt', () =>
    expect(names({ ...schedule, waits: [5 * S, M] })).toEqual(['5s', '1m']));
  it('are named in the largest unit that measures them wholly', () =>
    expect([1, 1_500, 60 * S, 90 * S, 3_600 * S, 0].map(tierName)).toEqual(['1ms', '1500ms', '1m', '90s', '1h', '0ms']));
  it('have a topic each', () =>
    expect(tiersOf({ ...schedule, waits: [0, 5 * S, 30 * S] }).map(({ topic }) => topic)).toEqual([retry('5s'), retry('30s')]));
  it('know the largest jitter of the attempts that wait in them', () => {
    const jitters = (of: RetrySchedule) => tiersOf(of).map(({ mostJitterMs }) => mostJitterMs);
    expect(jitters({ ...schedule, waits: [M, 5 * S, M, H] })).toEqual([500, 6 * S, 30 * S]);
    expect(jitters({ ...offset, waits: [0, 100 * S, 200 * S] })).toEqual([20 * S]);
    expect(jitters({ ...schedule, waits: [M] })).toEqual([0]);
  });
});

describe('a pointer goes', () => {
  it.each([
    [-S, FIRST_TOPIC],
    [0, FIRST_TOPIC],
    [1, retry('5s')],
    [5 * S + 500, retry('5s')],
    [30 * S - 2, retry('30s')],
    [29 * S, retry('30s')],
    [29 * S - 1, retry('5s')],
    [30 * M + 30 * S, retry('30m')],
    [100 * H, retry('24h')],
  ])('to the longest tier that is not longer than the %i ms that are left', (left, topic) =>
    expect(topicFor(schedule, left)).toBe(topic),
  );
  it('to no topic where more than twenty tiers would hold it, or there is none', () => {
    const short = { ...schedule, waits: [0, 5 * S] };
    expect([topicFor(short, 100 * S), topicFor(short, 101 * S)]).toEqual([retry('5s'), null]);
    expect([topicFor({ ...schedule, waits: [0, 0] }, S), topicFor({ ...schedule, waits: [0] }, 0)]).toEqual([null, FIRST_TOPIC]);
  });
  it('law: to a tier that is at most a second longer than what is left, unless none is as short', () =>
    fc.assert(
      fc.property(anySchedule, anyLeft, (of, left) => {
        const topic = topicFor(of, left);
        const tiers = tiersOf(of);
        if (topic === null || topic === FIRST_TOPIC) return void expect(left > 0).toBe(topic === null);
        const chosen = tiers.find((tier) => tier.topic === topic);
        if (chosen !== tiers[0]) expect(chosen?.waitMs).toBeLessThanOrEqual(left + S);
        expect(tiers.filter(({ waitMs }) => waitMs <= left && waitMs > (chosen?.waitMs ?? 0))).toEqual([]);
      }),
    ));
  it('law: through twenty tiers at most until it is due', () =>
    fc.assert(
      fc.property(anySchedule, fc.nat(100 * H), (of, left) => {
        const dueAt = NOW + left;
        let now = NOW;
        let hops = 0;
        for (let topic = topicFor(of, left); topic && topic !== FIRST_TOPIC; topic = topicFor(of, dueAt - now)) {
          const pointer = { dueAt, publishedAt: now };
          for (let until = heldUntil(of, topic, pointer, now); until; until = heldUntil(of, topic, pointer, now)) now = until;
          hops += 1;
        }
        expect(hops).toBeLessThanOrEqual(20);
        if (hops > 0) expect(now).toBe(dueAt);
      }),
    ));
});

describe('a tier', () => {
  const held = (dueIn: number, publishedAgo?: number, topic = retry('30s')) => {
    const publishedAt = publishedAgo === undefined ? {} : { publishedAt: NOW - publishedAgo };
    const until = heldUntil(schedule, topic, { dueAt: NOW + dueIn, ...publishedAt }, NOW);
    return until === null ? null : until - NOW;
  };
  it('holds a pointer until it is due', () =>
    expect([held(33 * S, 0), held(1, 30 * S), held(0, 30 * S)]).toEqual([33 * S, 1, null]));
  it('holds one that has more time left than anyone who waits there until the end of its wait only', () =>
    expect([held(33 * S + 1, 0), held(H, S), held(H, 30 * S)]).toEqual([30 * S, 29 * S, null]));
  it('holds none that was published by a clock that was set back since', () =>
    expect([held(S, -2_000), held(S, -2_001)]).toEqual([S, null]));
  it('holds one of an earlier version, of which it is not known when it was published, if it could be new', () =>
    expect([held(33 * S), held(33 * S + 1)]).toEqual([33 * S, null]));
  it('holds none in the topic of what is due, nor in one that is no longer a tier', () =>
    expect([held(S, 0, FIRST_TOPIC), held(S, 0, retry('7s')), held(S, 0, retry('30sec'))]).toEqual([null, null, null]));
  it('law: holds nobody longer than its wait and its largest jitter after publication, nor once it is due', () =>
    fc.assert(
      fc.property(anySchedule, fc.nat(7), anyLeft, fc.integer({ min: -H, max: H }), (of, index, left, publishedAgo) => {
        const tier = tiersOf(of)[index];
        if (!tier) return;
        const publishedAt = NOW - publishedAgo;
        const until = heldUntil(of, tier.topic, { dueAt: NOW + left, publishedAt }, NOW);
        if (until === null) return;
        expect(until).toBeGreaterThan(NOW);
        expect(until).toBeLessThanOrEqual(Math.min(NOW + left, publishedAt + tier.waitMs + tier.mostJitterMs));
      }),
    ));
});
