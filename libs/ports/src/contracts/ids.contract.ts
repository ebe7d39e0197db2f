import { ID_PREFIXES, isId, timeOfId, type IdKind } from '@domain/kernel/ids';
import { Clock } from '../clock.port.js';
import type { Ids } from '../ids.port.js';

const AT = 1_772_355_600_000;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

class SteppingClock extends Clock {
  constructor(public time: number) {
    super();
  }
  now(): number {
    return this.time;
  }
  elapsed(): number {
    return this.time;
  }
  at(): () => void {
    return () => undefined;
  }
  after(): () => void {
    return () => undefined;
  }
}

export function idsContract(name: string, make: (clock: Clock) => Ids): void {
  describe(`${name} is an Ids`, () => {
    it('makes well-formed ids of every kind that name their instant', () => {
      const ids = make(new SteppingClock(AT));
      for (const kind of Object.keys(ID_PREFIXES) as IdKind[]) {
        expect(isId(kind, ids.next(kind))).toBe(true);
        expect(isId(kind, ids.derived(kind, AT, 'part'))).toBe(true);
      }
      expect(timeOfId(ids.next('message'))).toBe(AT);
      expect(timeOfId(ids.next('message', AT - 5000))).toBe(AT - 5000);
      expect(timeOfId(ids.derived('message', AT - 7000, 'a'))).toBe(AT - 7000);
    });

    it('never repeats an id and never goes backwards', () => {
      const clock = new SteppingClock(AT);
      const ids = make(clock);
      const made = Array.from({ length: 5000 }, (_, index) => {
        if (index % 1000 === 999) clock.time++;
        return ids.next('message');
      });
      expect(new Set(made).size).toBe(made.length);
      expect([...made].sort()).toEqual(made);
    });

    it('derives the same id from the same parts only', () => {
      const [one, other] = [make(new SteppingClock(AT)), make(new SteppingClock(AT + 1))];
      expect(one.derived('message', AT, 'a', 'b')).toBe(other.derived('message', AT, 'a', 'b'));
      const made = [['a', 'b'], ['b', 'a'], ['ab'], ['a', 'b', ''], ['a,b'], []].map((parts) =>
        one.derived('message', AT, ...parts),
      );
      expect(new Set(made).size).toBe(made.length);
      const letters = (id: string) => id.slice(id.indexOf('_'));
      expect(letters(one.derived('delivery', AT, 'a', 'b'))).not.toBe(letters(one.derived('message', AT, 'a', 'b')));
    });

    it('makes UUIDs, by chance and from names', () => {
      const ids = make(new SteppingClock(AT));
      expect(ids.uuid()).toMatch(UUID);
      expect(ids.uuid()).not.toBe(ids.uuid());
      expect(ids.uuidOf('a', 'b')).toMatch(UUID);
      expect(ids.uuidOf('a', 'b')).toBe(make(new SteppingClock(0)).uuidOf('a', 'b'));
      expect(ids.uuidOf('a', 'b')).not.toBe(ids.uuidOf('ab'));
    });

    it('gives as many bytes as asked for, others each time', () => {
      const ids = make(new SteppingClock(AT));
      expect([0, 1, 36, 5000].map((count) => ids.bytes(count).length)).toEqual([0, 1, 36, 5000]);
      expect(ids.bytes(36)).not.toEqual(ids.bytes(36));
    });

    it('spreads chance over zero to one, without one', () => {
      const ids = make(new SteppingClock(AT));
      const drawn = Array.from({ length: 2000 }, () => ids.chance());
      expect(Math.min(...drawn)).toBeGreaterThanOrEqual(0);
      expect(Math.max(...drawn)).toBeLessThan(1);
      const quarters = [0, 1, 2, 3].map((quarter) => drawn.filter((value) => Math.floor(value * 4) === quarter).length);
      expect(Math.min(...quarters)).toBeGreaterThan(300);
    });
  });
}
