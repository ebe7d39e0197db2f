import type { DeliveryEvent } from '@domain/delivery/delivery.events';
import { RETIRE_AFTER_MS } from '@domain/event/event-window';
import { START } from '@ports/event-store.port';
import { claimed, firstFailed, result, scheduled } from '@testing/delivery-events';
import type { ProjectedRow } from '../read-models/projection.js';
import { deliveriesProjection, type DeliveryRow } from './deliveries.projection.js';

function rowAfter(...events: readonly DeliveryEvent[]): ProjectedRow<DeliveryRow> | null {
  return events.reduce<ProjectedRow<DeliveryRow> | null>((before, event, revision) => {
    const record = { id: 'id', stream: 'deliveries-evt_1', revision, position: START, event };
    return deliveriesProjection.project(before, record) ?? before;
  }, null);
}

const succeeded: DeliveryEvent = { type: 'DeliverySucceeded', at: 150, deliveryId: 'whd_1', result: result(1, 200) };
const ofTest = { ...scheduled(), trigger: 'test' } as DeliveryEvent;

describe('the row of a delivery', () => {
  it('is looked at when it is due, and taken for lost when it is overdue', () =>
    expect(rowAfter(scheduled())?.row).toMatchObject({ eventId: 'evt_1', wakeAt: 100, lostAt: 2_100, claimedAt: null }));

  it('is looked at when the lease of an attempt runs out, and is lost then', () =>
    expect(rowAfter(scheduled(), claimed(100))?.row).toMatchObject({ wakeAt: 20_100, lostAt: 20_100, claimedAt: 100 }));

  it('is looked at for its next attempt again', () =>
    expect(rowAfter(scheduled(), claimed(100), firstFailed)?.row).toMatchObject({
      wakeAt: 5_150,
      lostAt: 7_150,
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
