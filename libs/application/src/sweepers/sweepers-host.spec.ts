import { FakeClock } from '@testing/fake-clock';
import { FakeIds } from '@testing/fake-ids';
import { Shutdown } from '../runtime/shutdown.js';
import { SweepersHost } from './sweepers-host.js';

describe('the sweepers of a process', () => {
  it('run from its start until its shutdown begins, which waits for the sweep under way', async () => {
    const [clock, shutdown] = [new FakeClock(), new Shutdown()];
    let finish: () => void = () => undefined;
    let sweeps = 0;
    const sweep = () => (++sweeps < 3 ? Promise.resolve() : new Promise<void>((resolve) => (finish = resolve)));
    const host = new SweepersHost([{ name: 'counted', everyMs: 1_000, sweep }], clock, new FakeIds(clock), shutdown);
    host.onApplicationBootstrap();
    await clock.advance(1_000);
    await clock.advance(1_000);
    expect(sweeps).toBe(3);
    let isOver = false;
    shutdown.begin();
    const over = host.beforeApplicationShutdown().then(() => (isOver = true));
    await clock.advance(1_000);
    expect(isOver).toBe(false);
    finish();
    await over;
    await clock.advance(5_000);
    expect(sweeps).toBe(3);
  });
});
