import type { FakeClock } from '@testing/fake-clock';
import type { ConsumeResult, BusMessage, MessageBus } from '../message-bus.port.js';
import { eventually } from './eventually.js';

export const accepted = (): ConsumeResult => ({ kind: 'accepted', done: Promise.resolve() });

function gate(): { readonly passed: Promise<void>; open(): void } {
  let open = (): void => undefined;
  const passed = new Promise<void>((resolve) => (open = resolve));
  return { passed, open: () => open() };
}

export function consumeResultsContract(
  current: () => { readonly bus: MessageBus; readonly clock: FakeClock; readonly topic: string; readonly group: string },
): void {
  describe('a consumer', () => {
    let bus: MessageBus;
    let clock: FakeClock;
    let topic: string;
    let group: string;

    beforeEach(() => ({ bus, clock, topic, group } = current()));

    const publish = (key: string, ...values: string[]) =>
      bus.publish(
        topic,
        values.map((value) => ({ key, value })),
      );
    async function collect(into: BusMessage[]) {
      return bus.consume(group, [topic], (message) => {
        into.push(message);
        return Promise.resolve(accepted());
      });
    }
    const valuesOf = (messages: readonly BusMessage[]): string[] => messages.map(({ value }) => value);

    describe('an accepted message', () => {
      it('does not keep the next ones waiting', async () => {
        const seen: string[] = [];
        const slow = gate();
        const subscription = await bus.consume(group, [topic], ({ value }) => {
          seen.push(value);
          return Promise.resolve({ kind: 'accepted', done: slow.passed });
        });
        await publish('k', 'a', 'b', 'c');
        await eventually(() => expect(seen).toEqual(['a', 'b', 'c']));
        slow.open();
        await subscription.close();
      });

      it('counts as consumed when it is done, either way', async () => {
        const first: BusMessage[] = [];
        const subscription = await bus.consume(group, [topic], (message) => {
          first.push(message);
          const done = message.value === 'bad' ? Promise.reject(new Error('bad')) : Promise.resolve();
          return Promise.resolve({ kind: 'accepted', done });
        });
        await publish('k', 'good', 'bad', 'good');
        await publish('k', 'end');
        await eventually(() => expect(valuesOf(first)).toEqual(['good', 'bad', 'good', 'end']));
        await subscription.close();
        const seen: BusMessage[] = [];
        const again = await collect(seen);
        await publish('k', 'new');
        await eventually(() => expect(valuesOf(seen)).toContain('new'));
        expect(valuesOf(seen)).toEqual(['new']);
        await again.close();
      });

      it('holds up closing until it is done', async () => {
        const slow = gate();
        let taken = false;
        let closed = false;
        const subscription = await bus.consume(group, [topic], () => {
          taken = true;
          return Promise.resolve({ kind: 'accepted', done: slow.passed });
        });
        await publish('k', 'a');
        await eventually(() => expect(taken).toBe(true));
        const closing = subscription.close().then(() => (closed = true));
        await publish('k', 'b');
        expect(closed).toBe(false);
        slow.open();
        await closing;
        expect(closed).toBe(true);
      });
    });

    it('accepts what it was offered before closing, and closes when that is done', async () => {
      const [offer, slow] = [gate(), gate()];
      let [offered, closed] = [false, false];
      const subscription = await bus.consume(group, [topic], async () => {
        offered = true;
        await offer.passed;
        return { kind: 'accepted', done: slow.passed };
      });
      await publish('k', 'a');
      await eventually(() => expect(offered).toBe(true));
      const closing = subscription.close().then(() => (closed = true));
      offer.open();
      for (let turn = 0; turn < 10; turn += 1) await clock.advance(0);
      expect(closed).toBe(false);
      slow.open();
      await closing;
    });

    describe('a message that is held', () => {
      it('is offered again at its time, and the partition waits behind it', async () => {
        const offers: string[] = [];
        const until = clock.now() + 60_000;
        const subscription = await bus.consume(group, [topic], ({ value }) => {
          offers.push(value);
          const early = value === 'a' && clock.now() < until;
          return Promise.resolve(early ? { kind: 'held', until } : accepted());
        });
        await publish('k', 'a', 'b');
        await eventually(() => expect(offers).toEqual(['a']));
        await clock.advance(59_999);
        expect(offers).toEqual(['a']);
        await clock.advance(1);
        await eventually(() => expect(offers).toEqual(['a', 'a', 'b']));
        await subscription.close();
      });

      it('is offered again after as long, though the clock is set back meanwhile', async () => {
        let offers = 0;
        const until = clock.now() + 60_000;
        const subscription = await bus.consume(group, [topic], () => {
          offers += 1;
          return Promise.resolve(offers === 1 ? { kind: 'held', until } : accepted());
        });
        await publish('k', 'a');
        await eventually(() => expect(offers).toBe(1));
        clock.set(clock.now() - 3_600_000);
        await clock.advance(59_999);
        expect(offers).toBe(1);
        await clock.advance(1);
        await eventually(() => expect(offers).toBe(2));
        clock.set(clock.now() + 3_600_000);
        await subscription.close();
      });

      it('leaves other partitions going', async () => {
        const seen: string[] = [];
        const until = clock.now() + 60_000;
        const subscription = await bus.consume(group, [topic], ({ key, value }) => {
          if (key === 'held') return Promise.resolve({ kind: 'held', until });
          seen.push(value);
          return Promise.resolve(accepted());
        });
        await publish('held', 'x');
        const keys = Array.from({ length: 64 }, (_, index) => `key ${index}`);
        await Promise.all(keys.map((key) => publish(key, key)));
        await eventually(() => expect(seen.length).toBeGreaterThan(16));
        await subscription.close();
      });

      it('does not hold up closing, and is offered to the next member', async () => {
        const until = clock.now() + 60_000;
        let offered = false;
        const first = await bus.consume(group, [topic], () => {
          offered = true;
          return Promise.resolve({ kind: 'held', until });
        });
        await publish('k', 'a');
        await eventually(() => expect(offered).toBe(true));
        await first.close();
        const seen: BusMessage[] = [];
        const second = await collect(seen);
        await eventually(() => expect(valuesOf(seen)).toEqual(['a']));
        await second.close();
      });
    });

    it('counts by topic what is not consumed, whether held, taken or behind those, until it is', async () => {
      const [until, over] = [clock.now() + 60_000, gate()];
      const subscription = await bus.consume(group, [topic], ({ value }) =>
        Promise.resolve(value === 'held' ? { kind: 'held', until } : { kind: 'accepted', done: over.passed }),
      );
      await eventually(() => expect(bus.lag()[topic]).toBe(0));
      await publish('k', 'under way', 'held', 'behind');
      await eventually(() => expect(bus.lag()[topic]).toBe(3));
      over.open();
      await eventually(() => expect(bus.lag()[topic]).toBe(2));
      await subscription.close();
    });

    it('offers a message again when there is space', async () => {
      const space = gate();
      const offers: string[] = [];
      let full = true;
      const subscription = await bus.consume(group, [topic], ({ value }) => {
        offers.push(value);
        return Promise.resolve(full ? { kind: 'full', space: space.passed } : accepted());
      });
      await publish('k', 'a', 'b');
      await eventually(() => expect(offers).toEqual(['a']));
      await clock.advance(60_000);
      expect(offers).toEqual(['a']);
      full = false;
      space.open();
      await eventually(() => expect(offers).toEqual(['a', 'a', 'b']));
      await subscription.close();
    });

    it('offers a message again later when the handler throws', async () => {
      const offers: string[] = [];
      const subscription = await bus.consume(group, [topic], ({ value }) => {
        offers.push(value);
        return offers.length === 1 ? Promise.reject(new Error('oops')) : Promise.resolve(accepted());
      });
      await publish('k', 'a', 'b');
      await eventually(async () => {
        await clock.advance(1000);
        expect(offers).toEqual(['a', 'a', 'b']);
      });
      await subscription.close();
    });
  });
}
