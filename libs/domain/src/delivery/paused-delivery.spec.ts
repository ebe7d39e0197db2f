import { specFor } from '@testing/decider-spec';
import {
  about,
  claim,
  claimed,
  cut,
  delivery,
  event,
  firstFailed,
  frozen,
  past,
  record,
  result,
  retry,
  scheduled,
} from '@testing/delivery-events';
import { fold } from '../kernel/decider.js';
import { deliveriesDecider, type DeliveryCommand } from './deliveries.decider.js';
import type { DeliveryEvent } from './delivery.events.js';
import { deliveryOf } from './event-deliveries.js';

const { given } = specFor(deliveriesDecider);

const pausedAt = (at: number): DeliveryEvent => ({ type: 'DeliveryPaused', at, projectId: 'prj_1', ...about });
const resumedAt = (at: number): DeliveryEvent => ({
  type: 'DeliveryResumed',
  at,
  deliveryId: 'whd_1',
  dueAt: at,
  overdueAt: at + 1_000,
});
const ofPaused = { ...delivery(), paused: true } as const;
const scheduledPaused = { ...scheduled(), paused: true } as DeliveryEvent;
const pausing = (at: number): DeliveryCommand => ({ type: 'PauseDelivery', at, deliveryId: 'whd_1' });
const resuming = (at: number): DeliveryCommand => ({ type: 'ResumeDelivery', at, deliveryId: 'whd_1' });
const claimOfPaused = (at: number, attemptId = 'att_1') => ({ ...claim(at, attemptId), isPaused: true });
const ofTest = { ...scheduled(), trigger: 'test' } as DeliveryEvent;
const after = (...events: readonly DeliveryEvent[]) => deliveryOf(fold(deliveriesDecider, events), 'whd_1');

describe('a delivery to a paused endpoint', () => {
  it('waits from its scheduling on, if it was paused by then', () => {
    given()
      .when({ type: 'FreezeEvent', at: 100, event, deliveries: [ofPaused] })
      .then(frozen, scheduledPaused);
    expect(after(frozen, scheduledPaused)).toMatchObject({ status: 'pending', paused: true, dueAt: null, overdueAt: null });
  });
  it('waits from its claim on, which uses up no attempt', () => {
    given(...past)
      .when(claimOfPaused(100))
      .then(pausedAt(100));
    const retrying = [...past, claimed(100), firstFailed] as const;
    given(...retrying)
      .when(claimOfPaused(5_150, 'att_2'))
      .then(pausedAt(5_150));
    expect(after(...retrying, pausedAt(5_150))).toMatchObject({ status: 'retrying', attemptCount: 1, dueAt: null, paused: true });
  });
  it('waits once, however often it is claimed or paused', () =>
    given(...past, pausedAt(100))
      .when(claimOfPaused(101), pausing(102))
      .thenNothing());
  it('is not claimed while it waits, though its endpoint is resumed', () =>
    given(frozen, scheduledPaused).when(claim(100)).thenNothing());
  it('waits after an attempt that was under way, and keeps its answer', () => {
    const last = { ...record(150, result(1, 503)), isPaused: true };
    given(...past, claimed(100))
      .when(last)
      .then(firstFailed, pausedAt(150));
    expect(after(...past, claimed(100), firstFailed, pausedAt(150))).toMatchObject({
      status: 'retrying',
      attemptCount: 1,
      lastResponseStatus: 503,
      dueAt: null,
    });
  });
  it('has succeeded or failed for good where its last attempt has', () => {
    for (const [status, type] of [
      [200, 'DeliverySucceeded'],
      [410, 'DeliveryFailed'],
    ] as const) {
      const state = fold(deliveriesDecider, [...past, claimed(100)]);
      const events = deliveriesDecider.decide({ ...record(150, result(1, status)), isPaused: true }, state);
      expect(events.map((each) => each.type)).toEqual([type]);
    }
  });
  it('waits after an attempt that a crash cut off, which counts', () =>
    given(...past, claimed(100))
      .when(claimOfPaused(20_100, 'att_2'))
      .then(retry(20_100, cut(1), 20_100), pausedAt(20_100)));
  it('gives up an attempt that was claimed under an append of unknown outcome: it has not begun', () => {
    given(...past, claimed(100))
      .when({ ...claimOfPaused(300, 'att_x'), unacknowledged: ['att_1'] })
      .then(pausedAt(300));
    expect(after(...past, claimed(100), pausedAt(300))).toMatchObject({
      status: 'pending',
      attemptCount: 0,
      firstStartedAt: null,
      claim: null,
    });
  });
  it('is paused while it waits for its next attempt, and left alone while one is under way', () => {
    given(...past, claimed(100), firstFailed)
      .when(pausing(200))
      .then(pausedAt(200));
    given(...past, claimed(100))
      .when(pausing(200))
      .thenNothing();
    given(...past)
      .when({ ...pausing(200), deliveryId: 'whd_x' } as DeliveryCommand)
      .thenNothing();
  });
  it('is due at once when it is resumed, and once', () => {
    given(frozen, scheduledPaused).when(resuming(9_000), resuming(9_001)).then(resumedAt(9_000));
    given(...past, claimed(100), firstFailed, pausedAt(200))
      .when(resuming(300), claim(300, 'att_2'))
      .then(resumedAt(300), claimed(300, 2));
    given(...past)
      .when(resuming(9_000))
      .thenNothing();
  });
  it('is due by the clock when it is resumed, where that was set back', () =>
    given(frozen, { ...scheduledPaused, at: 9_000 } as DeliveryEvent)
      .when(resuming(200), claim(200))
      .then(
        { ...resumedAt(9_000), decidedAt: 200, dueAt: 200, overdueAt: 1_200 } as DeliveryEvent,
        { ...claimed(9_000), decidedAt: 200, leaseUntil: 20_200 } as DeliveryEvent,
      ));
  it('is sent all the same where it is a test', () => {
    given(frozen, ofTest).when(claimOfPaused(100)).then(claimed(100));
    given(frozen, ofTest).when(pausing(100)).thenNothing();
    given(frozen, ofTest, claimed(100))
      .when({ ...record(150, result(1, 503)), isPaused: true })
      .then(firstFailed);
  });
  it('is cancelled with the endpoint, and superseded by its replay', () => {
    given(frozen, scheduledPaused)
      .when({ type: 'CancelDelivery', at: 200, deliveryId: 'whd_1', reason: 'endpoint_deleted' })
      .then({ type: 'DeliveryCancelled', at: 200, ...about, result: null, reason: 'endpoint_deleted' });
    given(frozen, scheduledPaused)
      .when({ ...claimOfPaused(200), obstacle: 'endpoint_deleted' })
      .then({ type: 'DeliveryCancelled', at: 200, ...about, result: null, reason: 'endpoint_deleted' });
    given(frozen, scheduledPaused)
      .when({ type: 'ReplayDelivery', at: 200, deliveryId: 'whd_1', replay: { ...delivery('whd_2', 'whd_1'), paused: true } })
      .then(
        { type: 'DeliverySuperseded', at: 200, deliveryId: 'whd_1', by: 'whd_2' },
        { type: 'DeliveryCancelled', at: 200, ...about, result: null, reason: 'superseded' },
        { ...scheduled('whd_2', 'whd_1', 200), paused: true } as DeliveryEvent,
      );
  });
});

describe('a paused delivery whose event expires', () => {
  const cancelled: DeliveryEvent = { type: 'DeliveryCancelled', at: 9e9, ...about, result: null, reason: 'event_expired' };

  it('is cancelled first, so that the event expires', () => {
    given(frozen, scheduledPaused)
      .when({ type: 'ExpireDeliveries', at: 9e9 })
      .then(cancelled, { type: 'DeliveryExpired', at: 9e9, deliveryId: 'whd_1' }, { type: 'DeliveriesExpired', at: 9e9 });
    expect(after(frozen, scheduledPaused, cancelled)).toMatchObject({ status: 'cancelled', paused: false });
  });
  it('is cancelled though another one is on its way, which the event waits for', () =>
    given(frozen, scheduledPaused, scheduled('whd_2'))
      .when({ type: 'ExpireDeliveries', at: 9e9 }, { type: 'ExpireDeliveries', at: 9e9 })
      .then(cancelled));
});
