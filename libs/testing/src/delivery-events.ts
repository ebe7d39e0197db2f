import type { DeliveryCommand } from '@domain/delivery/deliveries.decider';
import type { AttemptResult, DeliveryEvent, FrozenEvent, NewDelivery } from '@domain/delivery/delivery.events';
import type { RetrySchedule } from '@domain/delivery/retry-schedule';

/** Waits of 0, 5 and 30 s without jitter. */
export const schedule: RetrySchedule = { waits: [0, 5_000, 30_000], mode: 'gap', jitter: 0 };
export const event: FrozenEvent = {
  eventId: 'evt_1',
  projectId: 'prj_1',
  eventType: 'appointment.created',
  appointmentId: 'apt_1',
  emittedAt: 100,
  body: '{"id":"evt_1"}',
  test: false,
};
export const delivery = (deliveryId = 'whd_1', replayOf: string | null = null): NewDelivery => ({
  deliveryId,
  endpointId: 'we_1',
  url: 'https://a.example/hooks',
  trigger: replayOf ? 'replay' : 'event',
  replayOf,
  dueAt: 100,
  overdueAt: 1_100,
  maxAttempts: 3,
  disablings: 0,
});
export const frozen: DeliveryEvent = { type: 'EventFrozen', at: 100, ...event };
export const scheduled = (deliveryId = 'whd_1', replayOf: string | null = null, at = 100): DeliveryEvent => ({
  type: 'DeliveryScheduled',
  at,
  projectId: 'prj_1',
  eventType: 'appointment.created',
  appointmentId: 'apt_1',
  ...delivery(deliveryId, replayOf),
});
/** An event with one delivery, which is due at 100. */
export const past = [frozen, scheduled()];

export const claim = (at: number, attemptId = 'att_1'): Extract<DeliveryCommand, { type: 'ClaimDelivery' }> => ({
  type: 'ClaimDelivery',
  at,
  deliveryId: 'whd_1',
  about: { projectId: 'prj_1', endpointId: delivery('whd_1').endpointId, appointmentId: 'apt_1' },
  attemptId,
  unacknowledged: [],
  leaseMs: 20_000,
  voidBefore: 0,
  url: 'https://a.example/hooks',
  obstacle: null,
  isPaused: false,
  disablings: 0,
  schedule,
});
export const claimed = (at: number, attempt = 1, attemptId = `att_${attempt}`): DeliveryEvent => ({
  type: 'DeliveryClaimed',
  at,
  deliveryId: 'whd_1',
  attemptId,
  attempt,
  leaseUntil: at + 20_000,
  url: 'https://a.example/hooks',
});
export const result = (attempt: number, status: number | null, startedAt = 100): AttemptResult => ({
  attemptId: `att_${attempt}`,
  attempt,
  startedAt,
  durationMs: 50,
  status,
  headers: {},
  body: null,
  bodyTruncated: false,
  errorCode: status === null ? 'timeout' : null,
  remoteIp: null,
});
export const record = (at: number, answer: AttemptResult): Extract<DeliveryCommand, { type: 'RecordOutcome' }> => ({
  type: 'RecordOutcome',
  at,
  deliveryId: 'whd_1',
  result: answer,
  obstacle: null,
  isPaused: false,
  disablings: 0,
  disableOnGone: false,
  schedule,
  chance: 0,
});
/** What the outcomes of that delivery are about. */
export const about = { deliveryId: 'whd_1', endpointId: 'we_1' } as const;
export const retry = (at: number, answer: AttemptResult, dueAt: number): DeliveryEvent => ({
  type: 'DeliveryRetryScheduled',
  at,
  ...about,
  result: answer,
  dueAt,
  overdueAt: dueAt + 1_000,
});
export const cut = (attempt: number, startedAt = 100): AttemptResult => ({
  ...result(attempt, null, startedAt),
  durationMs: null,
  headers: null,
  errorCode: 'network_error',
});
export const firstFailed = retry(150, result(1, 503), 5_150);
