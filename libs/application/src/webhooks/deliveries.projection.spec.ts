import type { DeliveryEvent } from '@domain/delivery/delivery.events';
import type { Envelope } from '@domain/kernel/envelope';
import { RETIRE_AFTER_MS } from '@domain/event/event-window';
import { START } from '@ports/event-store.port';
import { claimed, firstFailed, result, scheduled } from '@testing/delivery-events';
import type { ProjectedRow } from '../read-models/projection.js';
import type { EndpointHealthRow } from './endpoint-health-row.js';
import { deliveriesProjection, pointerTo, type DeliveryRow } from './deliveries.projection.js';

function rowAfter(...events: readonly DeliveryEvent[]): ProjectedRow<DeliveryRow> | null {
  return events.reduce<ProjectedRow<DeliveryRow> | null>((before, event, revision) => {
    const record = { id: 'id', stream: 'deliveries-evt_1', revision, position: START, event };
    return deliveriesProjection.project(before, record, 'whd_1') ?? before;
  }, null);
}

const succeeded: DeliveryEvent = { type: 'DeliverySucceeded', at: 150, deliveryId: 'whd_1', result: result(1, 200) };
const ofTest = { ...scheduled(), trigger: 'test' } as DeliveryEvent;

describe('the row of a delivery', () => {
  it('is looked at when it is due, and taken for lost when it is overdue', () =>
    expect(rowAfter(scheduled())?.row).toMatchObject({ eventId: 'evt_1', wakeAt: 100, lostAt: 1_100, claimedAt: null }));

  it('is looked at when the lease of an attempt runs out, and is lost then', () =>
    expect(rowAfter(scheduled(), claimed(100))?.row).toMatchObject({ wakeAt: 20_100, lostAt: 20_100, claimedAt: 100 }));

  it('is looked at for its next attempt again', () =>
    expect(rowAfter(scheduled(), claimed(100), firstFailed)?.row).toMatchObject({
      wakeAt: 5_150,
      lostAt: 6_150,
      claimedAt: null,
    }));

  it('is looked at no more when it is finished', () =>
    expect(rowAfter(scheduled(), claimed(100), succeeded)?.row).toMatchObject({
      wakeAt: null,
      lostAt: null,
      claimedAt: null,
      retireAt: null,
    }));

  it('names the endpoint that it waits for, and none while an attempt is under way or when none follows', () => {
    const attempted = [scheduled(), claimed(100)] as const;
    const rows = [
      rowAfter(scheduled()),
      rowAfter(...attempted),
      rowAfter(...attempted, firstFailed),
      rowAfter(...attempted, succeeded),
    ];
    expect(rows.map((each) => each?.row.waitsFor)).toEqual(['we_1', null, 'we_1', null]);
  });

  it('of a paused endpoint waits for its resumption, and no sweep looks for it before that', () => {
    const about = { deliveryId: 'whd_1', endpointId: 'we_1' } as const;
    const paused: DeliveryEvent = { type: 'DeliveryPaused', at: 200, projectId: 'prj_1', ...about };
    const resumed: DeliveryEvent = { type: 'DeliveryResumed', at: 300, ...about, dueAt: 300, overdueAt: 1_300 };
    const unsought = { wakeAt: null, lostAt: null, waitsSince: null, claimedAt: null };
    expect(rowAfter({ ...scheduled(), paused: true } as DeliveryEvent)?.row).toMatchObject({
      status: 'pending',
      waitsFor: 'we_1 resumed',
      ...unsought,
    });
    expect(rowAfter(scheduled(), claimed(100), firstFailed, paused)?.row).toMatchObject({
      status: 'retrying',
      waitsFor: 'we_1 resumed',
      ...unsought,
    });
    expect(rowAfter(scheduled(), paused, resumed)?.row).toMatchObject({
      waitsFor: 'we_1',
      wakeAt: 300,
      lostAt: 1_300,
      waitsSince: 300,
    });
  });

  it('tells how its latest attempt that is over ended, and its endpoint together with its status', () => {
    const refused: DeliveryEvent = { ...firstFailed, result: result(1, null) } as DeliveryEvent;
    const rows = [
      rowAfter(scheduled(), claimed(100)),
      rowAfter(scheduled(), claimed(100), firstFailed),
      rowAfter(scheduled(), claimed(100), firstFailed, claimed(5_150, 2)),
      rowAfter(scheduled(), claimed(100), refused),
      rowAfter(scheduled(), claimed(100), refused, claimed(5_150, 2), succeeded),
    ];
    expect(
      rows.map((each) => [
        each?.row.endpointStatus,
        each?.row.responseStatusClass,
        each?.row.lastErrorCode,
        each?.row.lastAttemptAt,
      ]),
    ).toEqual([
      ['we_1 delivering', null, null, null],
      ['we_1 retrying', '5xx', null, 100],
      ['we_1 delivering', '5xx', null, 100],
      ['we_1 retrying', 'none', 'timeout', 100],
      ['we_1 succeeded', '2xx', null, 100],
    ]);
  });

  it('of a test is dropped by itself, but never before it is finished', () => {
    expect(rowAfter(ofTest, claimed(100))?.row.retireAt).toBeNull();
    expect(rowAfter(ofTest, claimed(100), succeeded)?.row.retireAt).toBe(100 + RETIRE_AFTER_MS);
  });

  it('leaves the lists with its event', () => {
    const expired: DeliveryEvent = { type: 'DeliveryExpired', at: 9e9, deliveryId: 'whd_1' };
    expect(rowAfter(scheduled(), claimed(100), succeeded)?.deleted).toBe(false);
    expect(rowAfter(scheduled(), claimed(100), succeeded, expired)?.deleted).toBe(true);
  });
});

describe('the correlation id of a delivery', () => {
  const about = { id: 'id', stream: 'deliveries-evt_1', revision: 1, position: START };
  const row = (metadata?: Envelope) => {
    const event = scheduled();
    return deliveriesProjection.project(null, { ...about, event, ...(metadata && { metadata }) }, 'whd_1')!;
  };
  const pointer = ({ text: _, ...of }: ProjectedRow<DeliveryRow>) =>
    pointerTo({ ...of, id: 'whd_1', sortId: '1', position: START });

  it('is in its row and in the pointers made of that, whatever happens to it', () => {
    const before = row({ $correlationId: 'cor_1', $causationId: 'appointment-apt_1@3' });
    const later = { ...about, event: claimed(100), metadata: { $correlationId: 'cor_2' } };
    const after = deliveriesProjection.project(before, later, 'whd_1')!;
    expect([before, after].map(({ row: { correlationId } }) => correlationId)).toEqual(['cor_1', 'cor_1']);
    expect(pointer(after)).toMatchObject({ deliveryId: 'whd_1', correlationId: 'cor_1' });
  });

  it('is in neither where an earlier version scheduled it', () => {
    expect('correlationId' in row().row).toBe(false);
    expect('correlationId' in pointer(row())).toBe(false);
  });
});

describe('the row of an endpoint, which its deliveries share,', () => {
  const { shared } = deliveriesProjection;
  const row = rowAfter(scheduled())!.row;

  function healthAfter(events: readonly DeliveryEvent[], of = row): EndpointHealthRow | null {
    const after = events.reduce<ProjectedRow<object> | null>((before, event, revision) => {
      const record = { id: 'id', stream: 'deliveries-evt_1', revision, position: START, event };
      const change = shared?.changes(record, of, 'prj_1').find(({ id }) => id === 'we_1');
      return change?.project(before) ?? before;
    }, null);
    return after && (after.row as EndpointHealthRow);
  }

  /** When the endpoint began to fail, after these events of its deliveries. */
  const failingSince = (...events: readonly DeliveryEvent[]) => healthAfter(events)?.failingSince ?? null;
  const failed = (startedAt: number): DeliveryEvent => ({
    type: 'DeliveryFailed',
    at: startedAt + 50,
    deliveryId: 'whd_2',
    result: result(1, 404, startedAt),
    reason: 'permanent_rejection',
  });
  const cancelled = (startedAt: number | null): DeliveryEvent => ({
    type: 'DeliveryCancelled',
    at: 900,
    deliveryId: 'whd_3',
    result: startedAt === null ? null : result(1, 500, startedAt),
    reason: 'superseded',
  });

  it.each<[string, readonly DeliveryEvent[], number | null]>([
    ['is well after a success', [succeeded], null],
    ['fails since the first attempt that failed', [firstFailed, failed(300), failed(400)], 100],
    ['is well once any delivery has succeeded', [firstFailed, failed(300), succeeded], null],
    ['fails anew since the first failure after that', [firstFailed, succeeded, failed(300), failed(400)], 300],
    ['fails by an attempt after which its delivery was cancelled', [cancelled(700)], 700],
  ])('%s', (_, events, since) => expect(failingSince(...events)).toBe(since));

  it('says nothing before an attempt was made', () =>
    expect(failingSince(scheduled(), claimed(100), cancelled(null))).toBeNull());

  it('fails for long once five deliveries failed for good since the last success', () => {
    const four = [200, 300, 400, 500].map(failed);
    expect(healthAfter([firstFailed, ...four])).toMatchObject({ failingSince: 100, longSince: null });
    const long = { failingSince: 100, longSince: 100, lost: [350, 450, 550, 650, 750] };
    expect(healthAfter([firstFailed, ...four, failed(600), failed(700)])).toMatchObject(long);
    const well = { failingSince: null, longSince: null, lost: [] };
    expect(healthAfter([firstFailed, ...four, failed(600), succeeded])).toMatchObject(well);
    expect(healthAfter([firstFailed, ...four, succeeded, failed(600)])).toMatchObject({ failingSince: 600, longSince: null });
  });

  it('does not fail by tests, nor is it well again by one', () => {
    const { row: test } = rowAfter(ofTest)!;
    expect(healthAfter([failed(300), succeeded], test)).toBeNull();
  });

  it('counts failed attempts, and those in a row, and deliveries that failed for good', () => {
    const before = healthAfter([firstFailed, failed(300)]);
    expect(before).toMatchObject({
      attempts: { inARow: 2, counted: 2, alarm: null },
      deliveriesFailed: 1,
      deliveryFailedAt: 350,
    });
    const alarmed = healthAfter([firstFailed, failed(300), failed(400)]);
    const cause = { code: 'http_404', message: 'The receiver answered 404.' };
    expect(alarmed).toMatchObject({ failedAt: 450, attempts: { alarm: { at: 450, since: 100, cause } }, deliveriesFailed: 2 });
    expect(healthAfter([firstFailed, failed(300), failed(400), succeeded])).toMatchObject({
      attempts: { inARow: 0, counted: 3, overSince: 150 },
      failedAt: 450,
    });
  });
});
