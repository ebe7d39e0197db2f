import { FakeClock } from '@testing/fake-clock';
import { FakeIds } from '@testing/fake-ids';
import { fakeSettings } from '@testing/fake-settings';
import type { Engine } from '@ports/engine.port';
import { AttemptClaims } from './attempt-claims.js';
import type { DeliveryStreams } from './delivery-streams.js';

describe('the claim of an attempt', () => {
  it('is held five seconds longer than its POST may take', async () => {
    const leases: unknown[] = [];
    const streams = {
      submit: async (_: string, { leaseMs }: { leaseMs: number }) => (
        leases.push(leaseMs),
        { state: { deliveries: [] }, events: [] }
      ),
    } as unknown as DeliveryStreams;
    const clock = new FakeClock();
    const settings = fakeSettings();
    const claims = new AttemptClaims(streams, settings, { leasesVoidBefore: 0 } as Engine, clock, new FakeIds(clock));
    await claims.claim({ eventId: 'evt_1', deliveryId: 'del_1' } as never, null);
    expect(leases).toEqual([settings.webhookTimeoutMs + 5_000]);
  });
});
