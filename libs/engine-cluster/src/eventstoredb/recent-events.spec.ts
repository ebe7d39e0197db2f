import type { Position, Recorded } from '@ports/event-store.port';
import { RecentEvents } from './recent-events.js';

const at = (number: number): Position => String(number).padStart(20, '0');
const event = (number: number, text = 'a'): Recorded => ({
  id: `id-${number}`,
  stream: 'note-1',
  revision: number,
  position: at(number),
  event: { type: 'Noted', at: 0, text } as Recorded['event'],
});
const page = (numbers: readonly number[], upTo: number, text?: string) => ({
  events: numbers.map((number) => event(number, text)),
  upTo: at(upTo),
  isLast: true,
});
const numbersOf = (events: readonly Recorded[]) => events.map(({ revision }) => revision);

describe('the newest events', () => {
  it('are handed out after a position, and then up to where the log was read', () => {
    const recent = new RecentEvents(at(5));
    recent.add(page([7, 9], 12));
    expect(recent.after(at(5), 10)).toMatchObject({ upTo: at(12), isLast: true });
    expect(numbersOf(recent.after(at(5), 10).events)).toEqual([7, 9]);
    expect(numbersOf(recent.after(at(7), 10).events)).toEqual([9]);
    expect(numbersOf(recent.after(at(10), 10).events)).toEqual([]);
  });

  it('are handed out up to the last one where more are wanted than asked for', () => {
    const recent = new RecentEvents(at(0));
    recent.add(page([1, 2, 3], 4));
    expect(recent.after(at(0), 2)).toMatchObject({ upTo: at(2), isLast: false });
    expect(recent.after(at(2), 2)).toMatchObject({ upTo: at(4), isLast: true });
  });

  it.each([
    ['many', 'a', 20_000, 8_192],
    ['large', 'x'.repeat(100_000), 200, 90],
  ])('are dropped, oldest first, when they are too %s, and say from where on they are whole', (_, text, count, kept) => {
    const recent = new RecentEvents(at(0));
    for (let number = 1; number <= count; number += 1) recent.add(page([number], number, text));
    const events = recent.after(recent.floor, count).events;
    expect(events.length).toBeLessThanOrEqual(kept);
    expect(events.length).toBeGreaterThan(kept / 2);
    expect(at(events[0]!.revision - 1)).toBe(recent.floor);
    expect(events.at(-1)?.revision).toBe(count);
  });
});
