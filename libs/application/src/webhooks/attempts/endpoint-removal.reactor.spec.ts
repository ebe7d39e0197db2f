import type { EndpointEvent } from '@domain/endpoint/endpoint.events';
import type { Recorded } from '@ports/event-store.port';
import { FakeClock } from '@testing/fake-clock';
import type { DeliveryPointer } from '../delivery-pointer.js';
import type { DeliveryStreams } from '../delivery-streams.js';
import type { DueDeliveries } from '../due-deliveries.js';
import { EndpointRemovalReactor } from './endpoint-removal.reactor.js';

const NEVER = new AbortController().signal;
const ABOUT = { id: 'e', revision: 0, stream: 'endpoints-prj_1', position: '00000000000000000007' };
const DELETED = { ...ABOUT, event: { type: 'EndpointDeleted', at: 1, endpointId: 'we_1' } } as Recorded<EndpointEvent>;

const pointer = (n: number): DeliveryPointer => {
  const about = { projectId: 'prj_1', endpointId: 'we_1', appointmentId: 'apt_1', attempt: 1, dueAt: 0 };
  return { ...about, eventId: `evt_${n}`, deliveryId: `whd_${n}` };
};

let waiting: DeliveryPointer[];
let cancelled: string[];
let asked: unknown[][];

/** Finds so many at a time; those in `done` have ended, but their rows do not show it yet. */
function reactor(atOnce: number, done: readonly string[] = []): EndpointRemovalReactor {
  const waitingFor = (...question: unknown[]) => {
    asked.push(question);
    return Promise.resolve(waiting.slice(0, atOnce));
  };
  const submit = (_eventId: string, { deliveryId }: { deliveryId: string }) => {
    if (done.includes(deliveryId)) return Promise.resolve({ events: [] });
    cancelled.push(deliveryId);
    waiting = waiting.filter((each) => each.deliveryId !== deliveryId);
    return Promise.resolve({ events: [{}] });
  };
  const found = { waitingFor } as unknown as DueDeliveries;
  return new EndpointRemovalReactor(found, { submit } as unknown as DeliveryStreams, new FakeClock());
}

beforeEach(() => {
  waiting = [1, 2, 3, 4, 5].map(pointer);
  cancelled = [];
  asked = [];
});

describe('what waits for an endpoint that is gone', () => {
  it('is cancelled to the last, however much it is', async () => {
    await reactor(2).handle([DELETED], NEVER);
    expect(cancelled).toEqual(['whd_1', 'whd_2', 'whd_3', 'whd_4', 'whd_5']);
    expect(asked[0]).toEqual([{ projectId: 'prj_1', endpointId: 'we_1' }, DELETED.position, expect.any(Number), NEVER]);
    expect(asked[0]?.at(3)).toBe(NEVER);
  });

  it('is looked for no more when all that is found has ended', async () => {
    await reactor(2, ['whd_1', 'whd_2']).handle([DELETED], NEVER);
    expect([asked.length, cancelled]).toEqual([1, []]);
  });

  it('is looked for again when only some of it had ended', async () => {
    await reactor(3, ['whd_2']).handle([DELETED], NEVER);
    expect(cancelled).toEqual(['whd_1', 'whd_3', 'whd_4', 'whd_5']);
  });

  it('is left when the process is to end', async () => {
    await expect(reactor(2).handle([DELETED], AbortSignal.abort())).rejects.toThrow();
    expect(asked).toEqual([]);
  });
});
