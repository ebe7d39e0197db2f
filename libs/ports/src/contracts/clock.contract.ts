import { type Clock, pause } from '../clock.port.js';

export interface ClockHarness {
  readonly clock: Clock;
  elapse(ms: number): Promise<void>;
}

const DAY = 86_400_000;

export function clockContract(name: string, make: () => ClockHarness): void {
  describe(`${name} is a Clock`, () => {
    it('calls back once, not before the time', async () => {
      const { clock, elapse } = make();
      const start = clock.now();
      const calls: number[] = [];
      clock.at(start + 100, () => calls.push(clock.now() - start));
      await elapse(99);
      expect(calls).toEqual([]);
      await elapse(1000);
      expect(calls).toHaveLength(1);
      expect(calls[0]).toBeGreaterThanOrEqual(100);
    });

    it('calls back for a time that has passed, but never before the caller has gone on', async () => {
      const { clock, elapse } = make();
      const seen: string[] = [];
      clock.at(clock.now() - 5, () => seen.push('called'));
      seen.push('went on');
      await elapse(1);
      expect(seen).toEqual(['went on', 'called']);
    });

    it('calls back in order of time', async () => {
      const { clock, elapse } = make();
      const seen: string[] = [];
      clock.at(clock.now() + 20, () => seen.push('later'));
      clock.at(clock.now() + 10, () => seen.push('sooner'));
      await elapse(50);
      expect(seen).toEqual(['sooner', 'later']);
    });

    it('does not call back who cancelled, however often', async () => {
      const { clock, elapse } = make();
      const seen: string[] = [];
      const cancel = clock.at(clock.now() + 10, () => seen.push('called'));
      cancel();
      cancel();
      await elapse(50);
      expect(seen).toEqual([]);
    });

    it('counts what has passed, and calls back after so much of it', async () => {
      const { clock, elapse } = make();
      const [now, elapsed] = [clock.now(), clock.elapsed()];
      const calls: number[] = [];
      clock.after(100, () => calls.push(clock.elapsed() - elapsed));
      const cancel = clock.after(100, () => calls.push(-1));
      cancel();
      await elapse(99);
      expect(calls).toEqual([]);
      await elapse(1000);
      expect(calls).toHaveLength(1);
      expect(calls[0]).toBeGreaterThanOrEqual(100);
      expect(Math.round(clock.elapsed() - elapsed)).toBe(clock.now() - now);
    });

    it('waits for months', async () => {
      const { clock, elapse } = make();
      const seen: string[] = [];
      clock.at(clock.now() + 60 * DAY, () => seen.push('called'));
      await elapse(60 * DAY - 1);
      expect(seen).toEqual([]);
      await elapse(1);
      expect(seen).toEqual(['called']);
    });

    it('pauses until the time, or until it is told to stop', async () => {
      const { clock, elapse } = make();
      const stop = new AbortController();
      const seen: string[] = [];
      void pause(clock, 10).then(() => seen.push('rested'));
      void pause(clock, 5000, stop.signal).then(() => seen.push('stopped'));
      await elapse(100);
      expect(seen).toEqual(['rested']);
      stop.abort();
      await elapse(0);
      expect(seen).toEqual(['rested', 'stopped']);
    });
  });
}
