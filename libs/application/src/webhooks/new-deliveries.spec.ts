import type { Endpoint } from '@domain/endpoint/endpoint';
import { SCHEDULE } from '@testing/delivery-world';
import { FakeIds } from '@testing/fake-ids';
import { fakeSettings } from '@testing/fake-settings';
import { NewDeliveries } from './new-deliveries.js';

const ENDPOINT = { id: 'we_1', url: 'https://a.example' } as Endpoint;
const HOUR = 3_600_000;

describe('a new delivery', () => {
  it.each([
    [0, 1_000, 2_000],
    [HOUR, 1_000 + HOUR, 2_000 + HOUR],
  ])('whose first attempt waits for %d ms is overdue a second after that', (wait, dueAt, overdueAt) => {
    const settings = fakeSettings({ retrySchedule: { ...SCHEDULE, waits: [wait, HOUR] } });
    const made = new NewDeliveries(settings, new FakeIds()).newDelivery(ENDPOINT, 'whd_1', 'replay', 1_000);
    expect(made).toMatchObject({ dueAt, overdueAt, maxAttempts: 2, trigger: 'replay', endpointId: 'we_1', url: ENDPOINT.url });
  });
});
