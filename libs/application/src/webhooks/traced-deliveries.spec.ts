import type { DeliveryEvent } from '@domain/delivery/delivery.events';
import { START } from '@ports/event-store.port';
import { claimed, firstFailed, scheduled } from '@testing/delivery-events';
import { ENVELOPE } from '@testing/envelopes';
import { FakeClock } from '@testing/fake-clock';
import { FakeEventStore } from '@testing/fake-event-store';
import { FakeIds } from '@testing/fake-ids';
import { RecordedTraces } from '@testing/recorded-traces';
import { StreamCache } from '../streams/stream-cache.js';
import { StreamRunner } from '../streams/stream-runner.js';
import { deliveriesProjection, pointerTo } from './deliveries.projection.js';
import { DeliveryCounts } from './delivery-counts.js';
import type { DeliveryLogger } from './delivery-logger.js';
import { parsePointer } from './delivery-pointer.js';
import { DeliveryStreams } from './delivery-streams.js';

const TRACEPARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

describe('the events of attempts that share an append', () => {
  it('have the span of their own attempt each', async () => {
    const [traces, store, clock] = [new RecordedTraces(), new FakeEventStore(), new FakeClock()];
    const silent = { noteStored: () => undefined } as unknown as DeliveryLogger;
    const runner = new StreamRunner(store, new StreamCache(store), clock, new FakeIds(clock), traces.tracer);
    const streams = new DeliveryStreams(runner, store, new DeliveryCounts(), silent, traces.tracer);
    const of = { url: 'https://a.example', trigger: 'event', replayOf: null, dueAt: 0, overdueAt: 0, maxAttempts: 9 } as const;
    const ids = ['whd_1', 'whd_2', 'whd_3'];
    const deliveries = ids.map((deliveryId) => ({ deliveryId, endpointId: `we_${deliveryId}`, ...of }));
    const about = { projectId: 'prj', eventType: 'appointment.created', appointmentId: 'apt', emittedAt: 0, test: false };
    await streams.freeze({ type: 'FreezeEvent', at: 0, event: { eventId: 'evt_1', body: '{}', ...about }, deliveries }, ENVELOPE);
    const cancel = (deliveryId: string) =>
      traces.tracer.run('attempt', {}, async ({ traceparent }) => {
        const command = { type: 'CancelDelivery', at: 1, deliveryId, reason: 'endpoint_deleted' } as const;
        await streams.submit('evt_1', command, ENVELOPE);
        return traceparent;
      });
    const spans = await Promise.all(ids.map(cancel));
    const events = await store.read<DeliveryEvent>('deliveries-evt_1');
    const told = events.flatMap(({ event, metadata }) =>
      event.type === 'DeliveryCancelled' ? [[event.deliveryId, metadata?.traceparent]] : [],
    );
    expect(told).toEqual(ids.map((id, index) => [id, spans[index]]));
  });
});

describe('the row of a delivery', () => {
  const record = { id: 'id', stream: 'deliveries-evt_1', revision: 0, position: START };
  const project = deliveriesProjection.project.bind(deliveriesProjection);

  it('keeps the span in which it was scheduled, and so do pointers to it', () => {
    const metadata = { $correlationId: 'cor_1', traceparent: TRACEPARENT };
    const attempt = { $correlationId: 'cor_1', traceparent: TRACEPARENT.replace('b7', 'b8') };
    let row = project(null, { ...record, event: scheduled(), metadata }, 'whd_1');
    for (const event of [claimed(100), firstFailed]) row = project(row, { ...record, event, metadata: attempt }, 'whd_1');
    if (!row) throw new Error('The delivery has no row.');
    const { projectId, createdAt, deleted, row: told } = row;
    expect(told.traceparent).toBe(TRACEPARENT);
    const pointer = pointerTo({ id: 'whd_1', sortId: START, position: START, projectId, createdAt, deleted, row: told });
    expect(pointer).toMatchObject({ correlationId: 'cor_1', traceparent: TRACEPARENT, attempt: 2 });
    expect(parsePointer(JSON.stringify(pointer))).toEqual(pointer);
  });

  it('has none where that was not traced', () =>
    expect(project(null, { ...record, event: scheduled(), metadata: ENVELOPE }, 'whd_1')?.row).not.toHaveProperty('traceparent'));
});

describe('a pointer', () => {
  const pointer = {
    eventId: 'evt_1',
    deliveryId: 'whd_1',
    projectId: 'prj_1',
    endpointId: 'we_1',
    appointmentId: 'apt_1',
    attempt: 1,
    dueAt: 0,
  };

  it.each([
    [{}, true],
    [{ traceparent: TRACEPARENT, publication: TRACEPARENT }, true],
    [{ traceparent: 'of something else' }, true],
    [{ traceparent: 1 }, false],
    [{ publication: null }, false],
  ])('with %j is one: %s', (more, isOne) => expect(parsePointer(JSON.stringify({ ...pointer, ...more })) !== null).toBe(isOne));
});
