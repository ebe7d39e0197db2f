import { specFor } from '@testing/decider-spec';
import { about, claimed, delivery, frozen, past, result, scheduled } from '@testing/delivery-events';
import { fold } from '../kernel/decider.js';
import { bulkVerdict, MAX_DELIVERIES, NO_DELIVERY, type BulkReplay, type DeliveryMatch } from './bulk-replay.js';
import { deliveriesDecider } from './deliveries.decider.js';
import type { DeliveryEvent } from './delivery.events.js';

const { given } = specFor(deliveriesDecider);

const match: DeliveryMatch = { ...NO_DELIVERY, statuses: ['failed'], before: 10_000 };
const fresh = { ...delivery('whd_fresh'), trigger: 'bulk_replay' as const };
const wanted = (more: Partial<BulkReplay> = {}): BulkReplay => ({
  replay: fresh,
  match,
  deliveryId: 'whd_1',
  skipRecovered: true,
  lacking: null,
  ...more,
});
const inBulk = (more: Partial<BulkReplay> = {}) => ({ type: 'ReplayInBulk', at: 20_000, ...wanted(more) }) as const;
const verdict = (events: readonly DeliveryEvent[], more: Partial<BulkReplay> = {}) =>
  bulkVerdict(fold(deliveriesDecider, events), wanted(more)).kind;

const failed = (deliveryId = 'whd_1', at = 200): DeliveryEvent => ({
  type: 'DeliveryFailed',
  at,
  ...about,
  deliveryId,
  result: result(1, 404),
  reason: 'permanent_rejection',
});
const succeeded = (deliveryId: string, at = 400): DeliveryEvent => ({
  type: 'DeliverySucceeded',
  at,
  ...about,
  deliveryId,
  result: result(1, 200),
});
const made = (replayOf: string | null): DeliveryEvent => ({
  ...(scheduled('whd_fresh', replayOf, 20_000) as Extract<DeliveryEvent, { type: 'DeliveryScheduled' }>),
  trigger: 'bulk_replay',
});
const failedOnce = [...past, claimed(120), failed()];

describe('a replay in bulk', () => {
  it('makes one fresh delivery that names the original, however often it comes', () => {
    given(...failedOnce)
      .when(inBulk(), inBulk())
      .then(made('whd_1'));
    expect(verdict([...failedOnce, made('whd_1')])).toBe('replayed');
  });

  it('cancels an original that waits, and lets no attempt follow one that is under way', () => {
    const open: DeliveryMatch = { ...match, statuses: ['pending', 'retrying'] };
    const superseded: DeliveryEvent = { type: 'DeliverySuperseded', at: 20_000, deliveryId: 'whd_1', by: 'whd_fresh' };
    const cancelled: DeliveryEvent = { type: 'DeliveryCancelled', at: 20_000, ...about, result: null, reason: 'superseded' };
    given(...past)
      .when(inBulk({ match: open }))
      .then(superseded, cancelled, made('whd_1'));
    expect(verdict([...past, superseded, cancelled, made('whd_1')], { match: open })).toBe('replayed');
  });

  it('leaves alone what no longer matches', () => {
    expect(verdict(past)).toBe('unmatched');
    expect(verdict(failedOnce, { match: { ...match, responseClass: '5xx' } })).toBe('unmatched');
    expect(verdict(failedOnce, { match: { ...match, responseClass: '4xx' } })).toBe('replay');
    expect(verdict(failedOnce, { match: { ...match, errorCode: 'timeout' } })).toBe('unmatched');
    expect(verdict(failedOnce, { match: { ...match, from: 101 } })).toBe('unmatched');
    expect(verdict(failedOnce, { match: { ...match, before: 100 } })).toBe('unmatched');
    expect(verdict(failedOnce, { deliveryId: 'whd_of_another' })).toBe('unmatched');
  });

  it('tells cancelled ones apart by their reason', () => {
    const cancelled = (reason: 'endpoint_disabled' | 'cancelled_by_user'): DeliveryEvent[] => [
      ...past,
      { type: 'DeliveryCancelled', at: 150, ...about, result: null, reason },
    ];
    const either: DeliveryMatch = { ...match, statuses: ['failed', 'cancelled'], cancelReason: 'endpoint_disabled' };
    expect(verdict(cancelled('endpoint_disabled'), { match: either })).toBe('replay');
    expect(verdict(cancelled('cancelled_by_user'), { match: either })).toBe('unmatched');
    expect(verdict(cancelled('cancelled_by_user'), { match: { ...either, cancelReason: null } })).toBe('replay');
    expect(verdict(failedOnce, { match: either })).toBe('replay');
  });

  it('takes the newest of several that match, and the others count as superseded, before and after it', () => {
    const twice = [...failedOnce, scheduled('whd_2', 'whd_1', 300), failed('whd_2', 350)];
    expect(verdict(twice)).toBe('superseded');
    given(...twice)
      .when(inBulk(), inBulk({ deliveryId: 'whd_2' }))
      .then(made('whd_2'));
    expect(verdict([...twice, made('whd_2')])).toBe('superseded');
    expect(verdict([...twice, made('whd_2')], { deliveryId: 'whd_2' })).toBe('replayed');
  });

  it('leaves out what another delivery has reached since, or has on its way, unless it is told not to', () => {
    const onItsWay = [...failedOnce, scheduled('whd_2', 'whd_1', 300)];
    const reached = [...onItsWay, succeeded('whd_2')];
    for (const events of [onItsWay, reached]) {
      expect(verdict(events)).toBe('recovered');
      given(...events)
        .when(inBulk())
        .thenNothing();
      expect(verdict(events, { skipRecovered: false })).toBe('replay');
    }
    const before = [...past, succeeded('whd_1', 150), scheduled('whd_2', 'whd_1', 300), failed('whd_2', 350)];
    expect(verdict(before, { deliveryId: 'whd_2' })).toBe('replay');
  });

  it('is not made of an event that is expired or has ten thousand deliveries', () => {
    expect(verdict([...failedOnce, { type: 'DeliveriesExpired', at: 900 }])).toBe('event_expired');
    const many = Array.from({ length: MAX_DELIVERIES - 1 }, (_, number) => failed(`whd_${number + 2}`));
    const full = [...failedOnce, ...many.flatMap((end, number) => [scheduled(`whd_${number + 2}`), end])];
    expect(verdict(full, { deliveryId: `whd_${MAX_DELIVERIES}` })).toBe('limit_exceeded');
  });
});

describe('a replay in bulk of an event, with or without a delivery', () => {
  it('makes a fresh delivery, which names the last one there, or none', () => {
    given(frozen)
      .when(inBulk({ deliveryId: null }))
      .then(made(null));
    given(...failedOnce)
      .when(inBulk({ deliveryId: null, match: { ...match, before: 50 } }))
      .then(made('whd_1'));
  });

  it('leaves out an event that has reached the endpoint, whenever, or is on its way there', () => {
    expect(
      verdict([...past, succeeded('whd_1', 150), scheduled('whd_2', 'whd_1', 300), failed('whd_2', 350)], { deliveryId: null }),
    ).toBe('recovered');
    expect(verdict(past, { deliveryId: null })).toBe('recovered');
  });
});

describe('a replay in bulk of an event that lacks something at the endpoint', () => {
  const event = { deliveryId: null, match: NO_DELIVERY, skipRecovered: false } as const;

  it('is made where there is no delivery at all, once', () => {
    const missing = { ...event, lacking: 'delivery' } as const;
    given(frozen).when(inBulk(missing), inBulk(missing)).then(made(null));
    expect(verdict([frozen, made(null)], missing)).toBe('replayed');
    expect(verdict(failedOnce, missing)).toBe('unmatched');
    expect(verdict(past, missing)).toBe('unmatched');
  });

  it('is made where none is on its way, whatever became of those before', () => {
    const missing = { ...event, lacking: 'open_delivery' } as const;
    expect(verdict([frozen], missing)).toBe('replay');
    expect(verdict(past, missing)).toBe('unmatched');
    given(...past, succeeded('whd_1', 150))
      .when(inBulk(missing), inBulk(missing))
      .then(made('whd_1'));
    expect(verdict([...failedOnce, made('whd_1')], missing)).toBe('replayed');
  });
});

describe('a delivery whose place a newer event takes', () => {
  const supersede = { type: 'SupersedeDelivery', at: 20_000, deliveryId: 'whd_1', by: 'whd_newer' } as const;

  it('is cancelled if it matches and waits', () =>
    given(...past)
      .when({ ...supersede, match: { ...match, statuses: ['pending'] } })
      .then(
        { type: 'DeliverySuperseded', at: 20_000, deliveryId: 'whd_1', by: 'whd_newer' },
        { type: 'DeliveryCancelled', at: 20_000, ...about, result: null, reason: 'superseded' },
      ));

  it('stays as it is if it does not match, or is over', () => {
    given(...past)
      .when({ ...supersede, match })
      .thenNothing();
    given(...failedOnce)
      .when({ ...supersede, match })
      .thenNothing();
  });
});
