import type { Recorded } from '@ports/event-store.port';
import { collectGarbage } from '@testing/garbage';
import { positionOf } from './position.js';
import { RecentEvents } from './recent-events.js';

const at = (position: number): Recorded => ({
  id: String(position),
  stream: 'note-1',
  revision: position - 1,
  position: positionOf(position),
  event: { type: 'Noted', at: position },
});

const ALL = () => true;

/** With a feed that has read nothing of them. */
function behindOf(head: number): RecentEvents {
  const recent = new RecentEvents(head);
  recent.enter(head);
  return recent;
}

describe('the newest events in memory', () => {
  it('are handed out from any position not below the floor', () => {
    const recent = new RecentEvents(10);
    for (let position = 11; position <= 20; position += 1) recent.add(at(position), 100);
    expect([recent.floor, recent.head]).toEqual([10, 20]);
    expect(recent.after(10, 3, ALL)).toEqual([at(11), at(12), at(13)]);
    expect(recent.after(18, 10, ALL)).toEqual([at(19), at(20)]);
    expect(recent.after(20, 10, ALL)).toEqual([]);
    expect(recent.after(10, 3, (category) => category !== 'note')).toEqual([]);
  });

  it('stay until every feed has read them', () => {
    const recent = new RecentEvents(0);
    const [quick, slow] = [recent.enter(0), recent.enter(0)];
    for (let position = 1; position <= 1_024; position += 1) {
      recent.add(at(position), 1);
      quick.position = position;
      if (position <= 512) slow.position = position;
    }
    expect(recent.floor).toBe(512);
    expect(recent.after(512, 512, ALL)).toHaveLength(512);
  });

  it('go when every feed has read them, but for the last few', async () => {
    const recent = new RecentEvents(0);
    const feed = recent.enter(0);
    const added: WeakRef<Recorded>[] = [];
    for (let position = 1; position <= 1_024; position += 1) {
      const event = at(position);
      recent.add(event, 1);
      feed.position = position;
      added.push(new WeakRef(event));
    }
    expect(recent.floor).toBe(1_024 - 64);
    await collectGarbage();
    expect(added.filter((event) => event.deref() !== undefined)).toHaveLength(64);
  });

  it('are bounded in number, oldest out first', () => {
    const recent = behindOf(0);
    for (let position = 1; position <= 30_000; position += 1) recent.add(at(position), 1);
    expect(recent.head - recent.floor).toBe(8192);
    expect(recent.after(recent.floor, 1, ALL)).toEqual([at(recent.floor + 1)]);
    expect(recent.after(29_999, 5, ALL)).toEqual([at(30_000)]);
  });

  it('are bounded in size', () => {
    const recent = behindOf(0);
    for (let position = 1; position <= 100; position += 1) recent.add(at(position), 1024 * 1024);
    expect(recent.head - recent.floor).toBe(8);
    expect(recent.after(recent.floor, 100, ALL).map(({ revision }) => revision)).toEqual([92, 93, 94, 95, 96, 97, 98, 99]);
  });

  it('hold on to little of what was dropped, however large it was', async () => {
    const recent = behindOf(0);
    const added: WeakRef<Recorded>[] = [];
    for (let position = 1; position <= 100; position += 1) {
      const event = at(position);
      recent.add(event, 1024 * 1024);
      added.push(new WeakRef(event));
    }
    await collectGarbage();
    const held = added.filter((event) => event.deref() !== undefined);
    expect(held.length).toBeGreaterThanOrEqual(8);
    expect(held.length).toBeLessThanOrEqual(16);
    expect(recent.head - recent.floor).toBe(8);
  });

  it('begin anew behind positions that nobody was told of', () => {
    const recent = new RecentEvents(5);
    recent.add(at(6), 1);
    recent.skipTo(9);
    expect([recent.floor, recent.head]).toEqual([9, 9]);
  });
});
