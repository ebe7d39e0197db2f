import fc from 'fast-check';
import { type Slot, SlotRing, SlotWindow } from './slot-ring.js';

interface Count extends Slot {
  readonly count: number;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOON = Date.UTC(2026, 2, 1, 12);
const ring = new SlotRing('minute', MINUTE, 60);
const lastHour = new SlotWindow(ring, 1, 60);
const lastTens = new SlotWindow(ring, 10, 6);

/** The rows of one owner after something happened at these times, in this order. */
function rowsAfter(times: readonly number[]): ReadonlyMap<string, Count> {
  const rows = new Map<string, Count>();
  for (const at of times) {
    const id = ring.rowId('we_1', at);
    const row = rows.get(id);
    const slot = ring.slotAt<Count>(row ? { row } : null, at, (startsAt) => ({ startsAt, count: 0 }));
    if (slot) rows.set(id, { ...slot, count: slot.count + 1 });
  }
  return rows;
}

function pointsAfter(
  times: readonly number[],
  now: number,
  window = lastHour,
): readonly (readonly [at: number, count: number])[] {
  const rows = rowsAfter(times);
  const slots = window.rowIds('we_1', now).flatMap((id) => rows.get(id) ?? []);
  const points = window.pointsOf(slots, now);
  return points.map((point) => [point.at, point.slots.reduce((sum, { count }) => sum + count, 0)]);
}

describe('the slots of an owner', () => {
  it('begin with the minute', () => expect(ring.startOf(NOON + 59_999)).toBe(NOON));

  it('have rows of their own, apart from those of another owner or ring', () => {
    const others = [ring.rowId('we_2', NOON), new SlotRing('hour', HOUR, 60).rowId('we_1', NOON)];
    expect(others).not.toContain(ring.rowId('we_1', NOON));
  });

  it('are reused, so that there are never more than the ring has', () =>
    fc.assert(
      fc.property(fc.array(fc.nat(100 * HOUR)), (times) => {
        expect(rowsAfter(times).size).toBeLessThanOrEqual(60);
      }),
    ));

  it('do not count what is stored after its time is over', () =>
    expect(pointsAfter([NOON, NOON - HOUR], NOON).at(-1)).toEqual([NOON, 1]));

  it('count again once a clock is set back that was days ahead', () =>
    expect(pointsAfter([NOON + 48 * HOUR, NOON, NOON], NOON).at(-1)).toEqual([NOON, 2]));
});

describe('a window over slots', () => {
  it('ends with the present span, however much of it is over', () => {
    for (const now of [NOON, NOON + 59_999]) {
      const points = pointsAfter([], now);
      expect(points).toHaveLength(60);
      expect([points[0], points.at(-1)]).toEqual([
        [NOON - 59 * MINUTE, 0],
        [NOON, 0],
      ]);
    }
  });

  it('may have spans of several slots, which begin at multiples of theirs', () => {
    const now = NOON + 5 * MINUTE;
    const times = [NOON - 51 * MINUTE, NOON - 50 * MINUTE, NOON - 41 * MINUTE, NOON, now];
    const points = pointsAfter(times, now, lastTens);
    expect(points.map(([at, count]) => [(at - NOON) / MINUTE, count])).toEqual([
      [-50, 2],
      [-40, 0],
      [-30, 0],
      [-20, 0],
      [-10, 0],
      [0, 2],
    ]);
  });

  it('leaves out slots that were not reused since before it', () =>
    expect(pointsAfter([NOON - 120 * MINUTE, NOON - 60 * MINUTE], NOON).every(([, count]) => count === 0)).toBe(true));

  it('is refused over more slots than the ring has', () => expect(() => new SlotWindow(ring, 7, 9)).toThrow(RangeError));

  it('counts what a plain count counts, as long as nothing is stored a day late', () =>
    fc.assert(
      fc.property(fc.array(fc.nat(23 * HOUR)), fc.nat(2 * HOUR), fc.constantFrom(lastHour, lastTens), (ages, later, window) => {
        const times = ages.map((age) => NOON - age);
        const now = NOON + later;
        const points = pointsAfter(times, now, window);
        const spanMs = points[1]![0] - points[0]![0];
        const plain = points.map(([at]) => [at, times.filter((time) => time >= at && time < at + spanMs).length]);
        expect(points).toEqual(plain);
      }),
    ));
});
