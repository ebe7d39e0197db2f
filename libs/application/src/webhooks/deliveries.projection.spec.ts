import type { DeliveryEvent } from '@domain/delivery/delivery.events';
import type { Envelope } from '@domain/kernel/envelope';
import { RETIRE_AFTER_MS } from '@domain/event/event-window';
import { START } from '@ports/event-store.port';
import { claimed, firstFailed, result, scheduled } from '@testing/delivery-events';
import type { ProjectedRow } from '../read-models/projection.js';
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

  /** When the endpoint began to fail, after these events of its deliveries. */
  function failingSince(...events: readonly DeliveryEvent[]): unknown {
    const after = events.reduce<ProjectedRow<object> | null>((before, event, revision) => {
      const record = { id: 'id', stream: 'deliveries-evt_1', revision, position: START, event };
      const id = shared?.rowId(record, row) ?? null;
      return (id === 'we_1' ? shared?.project(before, record, 'prj_1') : null) ?? before;
    }, null);
    return after && (after.row as { failingSince: number | null }).failingSince;
  }
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
});
