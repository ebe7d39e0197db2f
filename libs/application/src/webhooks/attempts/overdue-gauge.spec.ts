import type { DueKey } from '@ports/read-models.port';
import { FakeClock } from '@testing/fake-clock';
import { Shutdown } from '../../runtime/shutdown.js';
import type { DeliveryPointer } from '../delivery-pointer.js';
import type { DueDeliveries } from '../due-deliveries.js';
import { AttemptScheduler, type AttemptWork } from './attempt-scheduler.js';
import { OverdueGauge } from './overdue-gauge.js';

/** Receivers that do not answer. */
const WORK: AttemptWork = {
  attempt: () => new Promise(() => undefined),
  due: () => Promise.resolve([]),
  readAhead: () => undefined,
};

let overdue: DeliveryPointer[];
let scheduler: AttemptScheduler;
let lost: OverdueGauge;
beforeEach(() => {
  overdue = [];
  scheduler = new AttemptScheduler(new Shutdown());
  const dueBy = (_field: string, _upTo: number, limit: number, after: DueKey | null) => {
    const from = after?.value ?? 0;
    const next = from + limit < overdue.length ? { value: from + limit, id: '' } : null;
    return Promise.resolve({ pointers: overdue.slice(from, from + limit), next });
  };
  lost = new OverdueGauge({ dueBy } as unknown as DueDeliveries, scheduler, new FakeClock());
});

function due(endpointId: string, count: number): readonly DeliveryPointer[] {
  const pointers = Array.from({ length: count }, (_, index): DeliveryPointer => {
    const deliveryId = `whd_${overdue.length + index}`;
    return { deliveryId, eventId: 'evt_1', projectId: 'prj_1', endpointId, appointmentId: 'apt_1', attempt: 1, dueAt: 0 };
  });
  overdue.push(...pointers);
  return pointers;
}

describe('what counts as lost', () => {
  it('is every overdue delivery that is in nobody’s hands', async () => {
    expect(await lost.count()).toBe(0);
    due('we_1', 3);
    expect(await lost.count()).toBe(3);
  });

  it.each([900, 3_000])('is none of %d deliveries that wait in line for a receiver that does not answer', async (count) => {
    due('we_dead', count).forEach((pointer) => scheduler.admit(pointer, WORK));
    expect(await lost.count()).toBe(0);
  });

  it('is also what is overdue behind such a line', async () => {
    due('we_dead', 3_000).forEach((pointer) => scheduler.admit(pointer, WORK));
    due('we_1', 2);
    expect(await lost.count()).toBe(2);
  });

  it('is counted to a thousand', async () => {
    due('we_1', 20_000);
    expect(await lost.count()).toBe(OverdueGauge.mostCounted);
  });
});
