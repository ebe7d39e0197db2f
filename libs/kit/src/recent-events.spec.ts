import { collectGarbage } from '@testing/garbage';
import { RecentEvents } from './recent-events.js';

interface Numbered {
  readonly number: number;
  readonly position: string;
}

const at = (number: number): string => String(number).padStart(20, '0');
const event = (number: number): Numbered => ({ number, position: at(number) });
const MIB = 1024 * 1024;

function recentOf(numbers: readonly number[], { from = 0, characters = 1 } = {}): RecentEvents<Numbered> {
  const recent = new RecentEvents<Numbered>(at(from), ({ number }) => (number % 2 ? 'odd' : 'even'));
  for (const number of numbers) recent.add(event(number), characters);
  return recent;
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
const numbersOf = ({ events }: { readonly events: readonly Numbered[] }) => events.map(({ number }) => number);

describe('the newest events of a log', () => {
  it('are handed out after a position, and then up to where the log is known', () => {
    const recent = recentOf([7, 9], { from: 5 });
    recent.reach(at(12));
    expect([recent.floor, recent.upTo]).toEqual([at(5), at(12)]);
    expect(recent.after(at(5), 10)).toEqual({ events: [event(7), event(9)], upTo: at(12), isLast: true });
    expect(numbersOf(recent.after(at(7), 10))).toEqual([9]);
    expect(numbersOf(recent.after(at(10), 10))).toEqual([]);
  });

  it('are handed out up to the last one where there are more than asked for', () => {
    const recent = recentOf([1, 2, 3]);
    recent.reach(at(4));
    expect(recent.after(at(0), 2)).toMatchObject({ upTo: at(2), isLast: false });
    expect(recent.after(at(2), 2)).toMatchObject({ upTo: at(4), isLast: true });
  });

  it.each([
    ['number', 30_000, 1, 8_192],
    ['size', 100, MIB, 8],
  ])('are bounded in %s, and whole from the floor on', (_, count, characters, kept) => {
    const recent = recentOf(upTo(count), { characters });
    expect(recent.floor).toBe(at(count - kept));
    expect(numbersOf(recent.after(recent.floor, count))).toEqual(upTo(count).slice(-kept));
    expect(numbersOf(recent.after(at(count - 1), 5))).toEqual([count]);
  });

  it('hold on to little of what was dropped, however large it was', async () => {
    const recent = recentOf([]);
    const added = upTo(100).map((number) => {
      const large = event(number);
      recent.add(large, MIB);
      return new WeakRef(large);
    });
    await collectGarbage();
    expect(added.filter((each) => each.deref() !== undefined).length).toBeLessThanOrEqual(16);
    expect(numbersOf(recent.after(recent.floor, 100))).toHaveLength(8);
  });

  it('begin anew behind positions that were never added', () => {
    const recent = recentOf([6], { from: 5 });
    recent.skipTo(at(9));
    expect([recent.floor, recent.upTo]).toEqual([at(9), at(9)]);
    recent.add(event(10), 1);
    expect(numbersOf(recent.after(at(9), 5))).toEqual([10]);
  });

  it('tell the newest of a category, or where it may be at the latest', () => {
    const recent = recentOf([7, 8, 9], { from: 5 });
    expect([recent.headOf(['even']), recent.headOf(['odd', 'even']), recent.headOf(['other'])]).toEqual([at(8), at(9), at(5)]);
    recent.skipTo(at(20));
    expect(recent.headOf(['odd'])).toBe(at(20));
  });
});
