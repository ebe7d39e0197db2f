import { Logger } from '@nestjs/common';
import { AppendOutcomeUnknown, StoreUnavailable } from '@ports/event-store.port';
import { FakeClock } from '@testing/fake-clock';
import { FakeIds } from '@testing/fake-ids';
import { SweeperRunner } from '../sweepers/sweeper-runner.js';
import { Restarts } from './restarts.js';

const FAILURES = [new StoreUnavailable('MongoDB does not answer', true), new AppendOutcomeUnknown('note-1', true)];

describe('the outage of a server, which the engine logs', () => {
  it('has no lines of sweepers, projections and reactors, neither while it lasts nor at its end', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    const clock = new FakeClock();
    const end = new AbortController();
    let isAway = true;
    const sweeper = { name: 'idle', everyMs: 1_000, sweep: () => (isAway ? Promise.reject(FAILURES[0]!) : Promise.resolve()) };
    const [runner, restarts] = [
      new SweeperRunner(sweeper, clock, new FakeIds(clock)),
      new Restarts(new Logger('reactor'), clock),
    ];
    const running = runner.run(end.signal);
    for (let second = 0; second < 150; second += 1) {
      void restarts.after(FAILURES[second % 2], end.signal);
      await clock.advance(1_000);
    }
    isAway = false;
    restarts.succeeded();
    await clock.advance(1_000);
    end.abort();
    await running;
    expect([runner.failures, restarts.count]).toEqual([151, 150]);
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  });
});
