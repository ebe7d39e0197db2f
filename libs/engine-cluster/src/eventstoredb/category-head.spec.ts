import { RecentEvents } from '@kit/recent-events';
import { type Position, type Recorded, START } from '@ports/event-store.port';
import { streamCategory } from '@ports/stream-category';
import { categoryHead } from './category-head.js';

const at = (number: number): Position => String(number).padStart(20, '0');
const event = (number: number, category: string): Recorded => ({
  id: `id-${number}`,
  stream: `${category}-1`,
  revision: number,
  position: at(number),
  event: { type: 'Noted', at: 0 },
});
function readBy(events: readonly Recorded[], upTo: number, start = 10): RecentEvents<Recorded> {
  const recent = new RecentEvents<Recorded>(at(start), ({ stream }) => streamCategory(stream));
  for (const each of events) recent.add(each, 1);
  recent.reach(at(upTo));
  return recent;
}

describe('the newest event of a category', () => {
  const end = { events: [event(25, 'other'), event(23, 'note'), event(22, 'note')], from: at(20) };

  it('is found among the last events, whatever was read before', () => {
    expect(categoryHead(['note'], end, readBy([], 10))).toBe(at(23));
    expect(categoryHead(['note', 'other'], end, readBy([], 10))).toBe(at(25));
  });

  it('is found in what was read, where that reaches the last events', () => {
    const read = [event(14, 'late'), event(15, 'later'), event(20, 'other')];
    expect(categoryHead(['late'], end, readBy(read, 20))).toBe(at(14));
    expect(categoryHead(['late', 'later'], end, readBy(read, 20))).toBe(at(15));
    expect(categoryHead(['late'], end, readBy([...read, ...end.events.toReversed()], 25))).toBe(at(14));
  });

  it('may be as late as the last events, where what was read does not reach them', () => {
    expect(categoryHead(['late'], end, readBy([event(14, 'late')], 19))).toBe(at(20));
  });

  it('may be as late as the start of the process, where nothing of the category was read since', () => {
    expect(categoryHead(['early'], end, readBy([event(14, 'late')], 20))).toBe(at(10));
    expect(categoryHead(['early'], end, readBy([], 22, 22))).toBe(at(20));
  });

  it('is not one that was appended after the last events were asked for', () => {
    expect(categoryHead(['late'], end, readBy([event(14, 'late'), event(30, 'late')], 30))).toBe(at(20));
  });

  it('is none, where the last events are all there are', () => {
    expect(categoryHead(['early'], { ...end, from: START }, readBy([], 25))).toBe(START);
  });
});
