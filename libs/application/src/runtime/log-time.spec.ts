import { Logger } from '@nestjs/common';
import { ENVELOPE } from '@testing/envelopes';
import { FakeClock } from '@testing/fake-clock';
import { FakeEventStore } from '@testing/fake-event-store';
import { FakeIds } from '@testing/fake-ids';
import { LogTime } from './log-time.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let clock: FakeClock;
let store: FakeEventStore;
let warned: jest.SpyInstance;
beforeEach(() => {
  clock = new FakeClock();
  store = new FakeEventStore();
  warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
});
afterEach(() => warned.mockRestore());

let processes = 0;
async function started(): Promise<LogTime> {
  const time = new LogTime(store, clock, new FakeIds(clock, ++processes));
  await time.onModuleInit();
  return time;
}

/** A process that observes the time each hour. */
async function running(time: LogTime, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += HOUR) {
    await time.observe(ENVELOPE);
    clock.elapse(HOUR);
  }
}

const lines = () => warned.mock.calls.map(([line]: readonly unknown[]) => String(line));

describe('the time by which data expires', () => {
  it("is the clock's while that goes on, through a pause of less than a day and where it is set a little", async () => {
    await (await started()).observe(ENVELOPE);
    clock.elapse(23 * HOUR);
    const time = await started();
    for (const ms of [HOUR, -HOUR, 2_000, -DAY / 2]) {
      clock.set(clock.now() + ms);
      expect(time.now()).toBe(clock.now());
    }
    expect(lines()).toEqual([]);
  });

  it('goes on as before where the clock jumps ahead by days while a process runs, and again with it once it is right', async () => {
    const time = await started();
    const before = clock.now();
    clock.set(before + 60 * DAY);
    clock.elapse(11 * 60_000);
    expect(time.now()).toBe(before + 11 * 60_000);
    await time.observe(ENVELOPE);
    clock.set(before + 12 * 60_000);
    expect(time.now()).toBe(clock.now());
    expect(lines()).toEqual([expect.stringContaining('60 days ahead of the log'), expect.stringContaining('believed again')]);
  });

  it('is that of the log in a process that starts with a clock which is ahead, again and again, whatever it stamps', async () => {
    await (await started()).observe(ENVELOPE);
    const before = clock.now();
    clock.set(before + 60 * DAY);
    for (let starts = 0; starts < 3; starts++) {
      const time = await started();
      expect(time.now() - before).toBeLessThan(HOUR);
      await time.observe(ENVELOPE);
      clock.elapse(60_000);
    }
    clock.set(before + 5 * 60_000);
    expect((await started()).now()).toBe(clock.now());
  });

  it('follows after a day where all was quiet or off for weeks, over restarts too, so that data expires in the end', async () => {
    await (await started()).observe(ENVELOPE);
    clock.elapse(40 * DAY);
    await running(await started(), 12 * HOUR);
    clock.elapse(8 * HOUR);
    const again = await started();
    expect(clock.now() - again.now()).toBeGreaterThan(39 * DAY);
    await running(again, 5 * HOUR);
    expect(again.now()).toBe(clock.now());
    expect(lines().at(-1)).toContain('believed again');
  });

  it('follows after a day too where a service that was off began with a clock far ahead, which then was set right', async () => {
    await (await started()).observe(ENVELOPE);
    clock.elapse(3 * DAY);
    const right = clock.now();
    clock.set(right + 60 * DAY);
    const time = await started();
    await time.observe(ENVELOPE);
    clock.set(right);
    await running(time, 23 * HOUR);
    expect(clock.now() - time.now()).toBe(3 * DAY);
    await running(time, 2 * HOUR);
    expect(time.now()).toBe(clock.now());
  });

  it("is the clock's at once where a machine begins without the time and then gets it", async () => {
    await (await started()).observe(ENVELOPE);
    const right = clock.now();
    clock.set(0);
    const time = await started();
    expect(time.now()).toBe(0);
    await time.observe(ENVELOPE);
    clock.set(right + 60_000);
    expect([time.now(), lines()]).toEqual([right + 60_000, []]);
  });

  it('does not believe a jump ahead where the clock was set back more than a day before', async () => {
    const time = await started();
    clock.set(clock.now() - 60 * DAY);
    await running(time, 25 * HOUR);
    const before = clock.now();
    clock.set(before + 50 * DAY);
    expect(time.now()).toBe(before);
  });

  it('gains nothing on the clock from being asked for often, whose milliseconds are rounded', async () => {
    const rounded = new (class extends FakeClock {
      override now(): number {
        return Math.floor(super.now());
      }
    })();
    const time = new LogTime(store, rounded, new FakeIds(rounded, ++processes));
    const before = rounded.now();
    rounded.set(before + 60 * DAY);
    for (let times = 0; times < 10_000; times++) {
      rounded.elapse(0.3);
      time.now();
    }
    expect(Math.round(time.now() - before)).toBe(3_000);
  });

  it('is doubted anew where a clock that is ahead jumps once more', async () => {
    const time = await started();
    const before = clock.now();
    clock.set(before + 60 * DAY);
    time.now();
    clock.set(before + 120 * DAY);
    expect(time.now()).toBe(before);
  });

  it('is told by the checkpoints of webhooks where no process has observed it yet', async () => {
    const event = { type: 'ReactorMoved', at: clock.now() };
    await store.append('reactor-webhook-fan-out', [{ id: '1', event }], 'none');
    const before = clock.now();
    clock.set(before + 60 * DAY);
    expect((await started()).now()).toBe(before);
  });

  it('is told of by one line, however often it is asked for', async () => {
    const time = await started();
    clock.set(clock.now() + 60 * DAY);
    for (let minute = 0; minute < 60; minute++) {
      clock.elapse(60_000);
      time.now();
    }
    expect(lines()).toHaveLength(1);
  });
});
