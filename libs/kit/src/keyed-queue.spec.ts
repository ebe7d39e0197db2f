import * as fc from 'fast-check';
import { KeyedQueue } from './keyed-queue.js';

const settle = () => new Promise((resolve) => setImmediate(resolve));

function follow(queue: KeyedQueue, names: readonly string[]) {
  const seen: string[] = [];
  const tickets = names.map((name) => {
    const ticket = queue.enter('key');
    void ticket.turn.then(() => seen.push(name));
    return ticket;
  });
  const leave = async (index: number) => {
    tickets[index]?.leave();
    await settle();
    return seen;
  };
  return { seen, leave };
}

describe('a queue of a key', () => {
  it('serves one at a time, first come, first served', async () => {
    const { seen, leave } = follow(new KeyedQueue(), ['a', 'b', 'c']);
    await settle();
    expect(seen).toEqual(['a']);
    expect(await leave(0)).toEqual(['a', 'b']);
    expect(await leave(1)).toEqual(['a', 'b', 'c']);
  });

  it('passes over who left while waiting', async () => {
    const { leave } = follow(new KeyedQueue(), ['a', 'b', 'c']);
    expect(await leave(1)).toEqual(['a']);
    expect(await leave(0)).toEqual(['a', 'c']);
  });

  it('passes over several in a row who left while waiting', async () => {
    const { leave } = follow(new KeyedQueue(), ['a', 'b', 'c', 'd']);
    await leave(1);
    await leave(2);
    expect(await leave(0)).toEqual(['a', 'd']);
  });

  it('counts nobody who left while waiting', async () => {
    const queue = new KeyedQueue();
    const { leave } = follow(queue, ['a', 'b', 'c', 'd']);
    await leave(1);
    await leave(1);
    await leave(3);
    expect(queue.waiting('key')).toBe(1);
    expect(await leave(0)).toEqual(['a', 'c']);
  });

  it('lets nobody in twice because somebody left twice', async () => {
    const { leave } = follow(new KeyedQueue(), ['a', 'b', 'c']);
    await leave(0);
    expect(await leave(0)).toEqual(['a', 'b']);
  });

  it('costs nothing once everybody has left', async () => {
    const queue = new KeyedQueue();
    const { leave } = follow(queue, ['a', 'b']);
    expect(queue.has('key')).toBe(true);
    await leave(0);
    await leave(1);
    expect(queue.has('key')).toBe(false);
  });

  it('goes on after work that failed', async () => {
    const queue = new KeyedQueue();
    await expect(queue.run('key', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await queue.run('key', () => Promise.resolve('next'))).toBe('next');
  });

  it('serves each key one at a time in order of arrival, whoever leaves when', async () => {
    const step = fc.oneof(fc.record({ enters: fc.constantFrom('a', 'b') }), fc.record({ leaves: fc.nat({ max: 20 }) }));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const queue = new KeyedQueue();
        const places: { key: string; ticket: ReturnType<KeyedQueue['enter']>; hasTurn: boolean; isGone: boolean }[] = [];
        for (const each of steps) {
          if ('enters' in each) {
            const place = { key: each.enters, ticket: queue.enter(each.enters), hasTurn: false, isGone: false };
            places.push(place);
            void place.ticket.turn.then(() => (place.hasTurn = true));
          } else {
            const place = places[each.leaves];
            place?.ticket.leave();
            if (place) place.isGone = true;
          }
          await settle();
          for (const key of ['a', 'b']) {
            const present = places.filter((place) => place.key === key && !place.isGone);
            expect(present.map(({ hasTurn }) => hasTurn)).toEqual(present.map((_, index) => index === 0));
            expect([queue.has(key), queue.waiting(key)]).toEqual([present.length > 0, Math.max(0, present.length - 1)]);
          }
        }
      }),
    );
  });
});
