import { AppendOutcomeUnknown, StoreUnavailable } from '@ports/event-store.port';
import { FakeClock } from '@testing/fake-clock';
import { LogThrottle } from './log-throttle.js';

describe('the log line of a failure that repeats', () => {
  let clock: FakeClock;
  let throttle: LogThrottle;
  beforeEach(() => {
    clock = new FakeClock();
    throttle = new LogThrottle(clock);
  });

  it('is written at first and then once a minute, for each cause', async () => {
    const logged: string[] = [];
    for (let second = 0; second < 125; second += 5) {
      for (const cause of second < 30 ? ['full'] : ['full', 'gone'])
        if (throttle.shouldLog(new StoreUnavailable(cause))) logged.push(`${second} ${cause}`);
      await clock.advance(5_000);
    }
    expect(logged).toEqual(['0 full', '30 gone', '60 full', '90 gone', '120 full']);
  });

  it('is the same for every stream that the store refuses', () => {
    const outcomes = ['note-1', 'note-2'].map((stream) => throttle.shouldLog(new AppendOutcomeUnknown(stream)));
    expect(outcomes).toEqual([true, false]);
  });

  it('is not written for the outage of a server, which the engine logs', () => {
    const outage = [new StoreUnavailable('MongoDB does not answer', true), new AppendOutcomeUnknown('note-1', true)];
    expect(outage.map((failure) => throttle.shouldLog(failure))).toEqual([false, false]);
    expect(throttle.recovered()).toBe(false);
  });

  it('is followed by one line on recovery, if it was written', async () => {
    expect(throttle.recovered()).toBe(false);
    throttle.shouldLog(new StoreUnavailable('full'));
    expect([throttle.recovered(), throttle.recovered()]).toEqual([true, false]);
    expect([throttle.shouldLog(new StoreUnavailable('full')), throttle.recovered()]).toEqual([false, false]);
    await clock.advance(60_000);
    expect([throttle.shouldLog(new StoreUnavailable('full')), throttle.recovered()]).toEqual([true, true]);
  });
});
