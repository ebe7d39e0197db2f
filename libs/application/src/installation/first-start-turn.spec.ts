import { FakeClock } from '@testing/fake-clock';
import { FakeExpiringRecords } from '@testing/fake-expiring-records';
import { FakeEngine } from '@testing/fake-engine';
import { FirstStartTurn } from './first-start-turn.js';

describe('the turn of a process that starts beside others', () => {
  it('is over after fifteen seconds, and not before', async () => {
    const clock = new FakeClock();
    const turn = new FirstStartTurn(new FakeExpiringRecords(clock), new FakeEngine(), clock);
    expect(await turn.take()).toBe(true);
    clock.set(clock.now() + 14_999);
    expect(await turn.take()).toBe(false);
    clock.set(clock.now() + 1);
    expect(await turn.take()).toBe(true);
  });
});
