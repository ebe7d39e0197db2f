import { scheduled } from '@testing/delivery-events';
import { newDelivery, type DeliveryView } from '../delivery-view.js';
import { aboutDelivery } from './about-delivery.js';

const event = { id: 'evt_1', type: 'appointment.created', at: 100 };
const pending = newDelivery({ eventId: 'evt_1', eventType: event.type }, scheduled() as never);
const told = (changes: Partial<DeliveryView>) => {
  const last = { ...pending, ...changes };
  return aboutDelivery(last, { event, then: null, now: null, deletedAt: null, last });
};

describe('what is told of a delivery', () => {
  it('that waits for its first attempt is when that is due', () =>
    expect(told({}).explanation).toBe('The delivery waits for its first attempt, due at 1970-01-01T00:00:00.100Z.'));
  it('that has no time for its next attempt is that its endpoint has to be resumed, and how', () => {
    const now = { id: 'we_1', status: 'paused' } as never;
    const last = { ...pending, dueAt: null };
    expect(aboutDelivery(last, { event, then: now, now, deletedAt: null, last })).toEqual({
      reason: null,
      explanation: 'The delivery waits for its first attempt once the endpoint is resumed.',
      whatToDo: 'Resume the endpoint with POST /v1/webhook_endpoints/we_1/resume.',
    });
  });
  it('that was cancelled by request is that, and what to do is to replay the event', () => {
    const now = { id: 'we_1', status: 'enabled' } as never;
    const last = { ...pending, status: 'cancelled', cancelReason: 'cancelled_by_user', completedAt: 200 } as const;
    expect(aboutDelivery(last, { event, then: now, now, deletedAt: null, last })).toEqual({
      reason: null,
      explanation: 'The delivery was cancelled at 1970-01-01T00:00:00.200Z, by request.',
      whatToDo: 'Replay the event to it with POST /v1/events/evt_1/replay and the body {"endpoint_ids":["we_1"]}.',
    });
  });
  it('that was replaced, by one of a newer event of its appointment too, is what took its place, with nothing to do', () => {
    const now = { id: 'we_1', status: 'enabled' } as never;
    const superseded = { status: 'cancelled', cancelReason: 'superseded', supersededBy: 'whd_2', completedAt: 200 } as const;
    const last = { ...pending, ...superseded };
    expect(aboutDelivery(last, { event, then: now, now, deletedAt: null, last })).toEqual({
      reason: null,
      explanation: 'The delivery was cancelled at 1970-01-01T00:00:00.200Z, as whd_2, made by a replay, took its place.',
      whatToDo: null,
    });
  });
  it('that was cut off by the end of our process is the error of its last attempt', () => {
    const cut = { status: null, errorCode: 'network_error' } as never;
    const { explanation } = told({ status: 'retrying', attemptCount: 1, dueAt: 100, attempts: [cut] });
    expect(explanation).toMatch(/^Attempt 1 of 3 ended with network_error, and the next attempt is to come, due at /);
  });
});
