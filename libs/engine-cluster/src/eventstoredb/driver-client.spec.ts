import { FakeClock } from '@testing/fake-clock';
import { DriverClient } from './driver-client.js';

describe('a client of the driver', () => {
  it('leaves no timer behind when it is closed in time, or when its calls have settled', async () => {
    const clock = new FakeClock();
    const client = new DriverClient('esdb://127.0.0.1:1?tls=false', clock);
    await client.dispose();
    expect(clock.pending).toBe(0);
    await client.retire();
    expect(clock.pending).toBe(0);
  });
});
