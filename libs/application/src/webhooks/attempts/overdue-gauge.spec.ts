import { OVERDUE_AFTER_MS } from '@domain/delivery/retry-policy';
import { FakeClock } from '@testing/fake-clock';
import { fakeSettings } from '@testing/fake-settings';
import type { DeliveryPointer } from '../delivery-pointer.js';
import type { DueDeliveries } from '../due-deliveries.js';
import { OverdueGauge } from './overdue-gauge.js';

const clock = new FakeClock();
const pointer = {} as DeliveryPointer;

/** The gauge over so many rows whose attempt has been due for two seconds. */
function counting(overdue: number, settings = fakeSettings()): Promise<number> {
  const dueBy = (field: string, upTo: number, limit: number) => {
    expect([field, upTo]).toEqual(['lostAt', clock.now() - 2_000 + OVERDUE_AFTER_MS]);
    return Promise.resolve({ pointers: Array<DeliveryPointer>(Math.min(limit, overdue)).fill(pointer), next: null });
  };
  return new OverdueGauge({ dueBy } as unknown as DueDeliveries, settings, clock).count();
}

it('every delivery that is two seconds late is counted, to a thousand', async () => {
  expect([await counting(0), await counting(3), await counting(20_000)]).toEqual([0, 3, OverdueGauge.mostCounted]);
});

it('nothing is overdue while deliveries are on hold', async () => {
  expect(await counting(3, fakeSettings({ webhookDelivery: 'hold' }))).toBe(0);
});
