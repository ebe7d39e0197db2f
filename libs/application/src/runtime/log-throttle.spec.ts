import { AppendOutcomeUnknown, StoreUnavailable } from '@ports/event-store.port';
import { FakeClock } from '@testing/fake-clock';
import { RepeatedTrouble } from './log-throttle.js';

describe('a trouble that goes on', () => {
  let clock: FakeClock;
  let trouble: RepeatedTrouble;
  beforeEach(() => {
    clock = new FakeClock();
    trouble = new RepeatedTrouble(clock);
  });

  it('is told at first and then once a minute, for each cause', async () => {
    const told: string[] = [];
    for (let second = 0; second < 125; second += 5) {
      for (const cause of second < 30 ? ['full'] : ['full', 'gone'])
        if (trouble.isNews(new StoreUnavailable(cause))) told.push(`${second} ${cause}`);
      await clock.advance(5_000);
    }
    expect(told).toEqual(['0 full', '30 gone', '60 full', '90 gone', '120 full']);
  });

  it('is the same whichever stream it hits', () => {
    const outcomes = ['note-1', 'note-2'].map((stream) => trouble.isNews(new AppendOutcomeUnknown(stream)));
    expect(outcomes).toEqual([true, false]);
  });

  it('is over once, and only when it was told', async () => {
    expect(trouble.endsIt()).toBe(false);
    trouble.isNews(new StoreUnavailable('full'));
    expect([trouble.endsIt(), trouble.endsIt()]).toEqual([true, false]);
    expect([trouble.isNews(new StoreUnavailable('full')), trouble.endsIt()]).toEqual([false, false]);
    await clock.advance(60_000);
    expect([trouble.isNews(new StoreUnavailable('full')), trouble.endsIt()]).toEqual([true, true]);
  });
});
