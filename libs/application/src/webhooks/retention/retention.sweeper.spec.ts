import type { FrozenEvent } from '@domain/delivery/delivery.events';
import { START, StoreUnavailable } from '@ports/event-store.port';
import type { StoredRow } from '@ports/read-models.port';
import { ENVELOPE } from '@testing/envelopes';
import { DeliveryWorld } from '@testing/delivery-world';
import { LEDGER_PROJECT } from '@testing/ledger-world';
import { LogTime } from '../../runtime/log-time.js';
import { eventsProjection } from '../fan-out/events.projection.js';
import { OrphanedRows } from './orphaned-rows.js';
import { RetentionSweeper } from './retention.sweeper.js';

const DAY = 86_400_000;

let world: DeliveryWorld;
beforeEach(async () => {
  world = await DeliveryWorld.create();
});
afterEach(() => world.close());

/** Events without deliveries that are past their retention. */
async function aged(count: number): Promise<void> {
  const { clock, ids, ports } = world.ledger;
  const emittedAt = clock.now();
  const about = { projectId: LEDGER_PROJECT, eventType: 'appointment.created', appointmentId: 'apt_1', emittedAt, test: false };
  const events = Array.from({ length: count }, () => ({ ...about, eventId: ids.next('event'), body: '{}' }));
  await ports.readModels.apply(eventsProjection.schema.name, events.map(logged), START);
  await Promise.all(
    events.map((event) => world.streams.freeze({ type: 'FreezeEvent', at: emittedAt, event, deliveries: [] }, ENVELOPE)),
  );
  await world.elapse(1_000);
  clock.set(clock.now() + 31 * DAY);
}

function logged({ eventId: id, projectId, emittedAt }: FrozenEvent, n: number): StoredRow {
  const row = { type: 'appointment.created', objectId: 'apt_1', stream: 'appointment-1', revision: n, retireAt: null };
  const sortId = String(n).padStart(20, '0');
  return { id, projectId, createdAt: emittedAt, sortId, position: START, deleted: false, row };
}

async function sweep(signal = new AbortController().signal): Promise<void> {
  await world.retention.sweep(world.ledger.clock.now(), signal, ENVELOPE);
}

/** Ids of events whose deliveries are still to be dropped. */
async function due(): Promise<readonly string[]> {
  await world.quiet();
  const { readModels } = world.ledger.ports;
  const rows = await readModels.due(eventsProjection.schema.name, 'retireAt', world.ledger.clock.now(), 1_000);
  return rows.map(({ id }) => id);
}

describe('retention', () => {
  it('comes to the end of what is due in one sweep, however much it is', async () => {
    await aged(520);
    expect(await due()).toHaveLength(520);
    await sweep();
    expect(await due()).toEqual([]);
  });

  it('deletes nothing by a clock that has jumped ahead, before it has gone on for a day', async () => {
    const { clock, ids, ports } = world.ledger;
    const time = new LogTime(ports.events, clock, ids);
    const orphaned = new OrphanedRows(world.streams, ports.readModels);
    const retention = new RetentionSweeper(world.streams, ports.readModels, world.found, orphaned, time);
    const { signal } = new AbortController();
    await aged(3);
    await retention.sweep(clock.now(), signal, ENVELOPE);
    expect(await due()).toHaveLength(3);
    clock.elapse(DAY);
    await retention.sweep(clock.now(), signal, ENVELOPE);
    expect(await due()).toEqual([]);
  });

  it('passes over an event that the store refuses, says so, and finds it again', async () => {
    await aged(120);
    const [refused = ''] = await due();
    const { events } = world.ledger.ports;
    const append = events.append.bind(events);
    events.append = (stream, ...rest) =>
      stream === `deliveries-${refused}` ? Promise.reject(new StoreUnavailable('the disk is full')) : append(stream, ...rest);
    await expect(sweep()).rejects.toThrow('the disk is full');
    expect(await due()).toEqual([refused]);
    events.append = append;
    await sweep();
    expect(await due()).toEqual([]);
  });

  it('gives up after a hundred that the store refuses: it would take none of the others', async () => {
    await aged(250);
    const { events } = world.ledger.ports;
    const asked = new Set<string>();
    events.append = (stream) => {
      if (stream.startsWith('deliveries-')) asked.add(stream);
      return Promise.reject(new StoreUnavailable('the disk is full'));
    };
    await expect(sweep()).rejects.toThrow('the disk is full');
    expect(asked.size).toBe(100);
  });

  it('drops the bytes of a test event too, which no log of events lists', async () => {
    const { clock, ids } = world.ledger;
    const { id } = (await world.register()).endpoint;
    const endpoint = await world.directory.load(LEDGER_PROJECT, id);
    const emittedAt = clock.now();
    const about = { projectId: LEDGER_PROJECT, eventType: 'test', appointmentId: 'apt_1', emittedAt, test: true };
    const event = { ...about, eventId: ids.next('event'), body: '{}' };
    const deliveries = [world.scheduling.newDelivery(endpoint, ids.next('delivery'), 'test', emittedAt)];
    await world.streams.freeze({ type: 'FreezeEvent', at: emittedAt, event, deliveries }, ENVELOPE);
    await world.elapse(1_000);
    expect(await world.streams.frozen(event.eventId)).toMatchObject({ body: '{}' });
    clock.set(emittedAt + 31 * DAY);
    await sweep();
    await world.elapse(1_000);
    expect(await world.streams.frozen(event.eventId)).toBeNull();
  });

  it('stops when the process is to end', async () => {
    await aged(250);
    const end = new AbortController();
    const { events } = world.ledger.ports;
    const append = events.append.bind(events);
    events.append = (...batch) => {
      if (batch[0].startsWith('deliveries-')) end.abort();
      return append(...batch);
    };
    await sweep(end.signal);
    expect((await due()).length).toBeGreaterThanOrEqual(150);
  });
});
