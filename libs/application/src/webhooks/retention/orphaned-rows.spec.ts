import type { StoredRow } from '@ports/read-models.port';
import type { SendResult } from '@ports/webhook-sender.port';
import { ENVELOPE } from '@testing/envelopes';
import { DeliveryWorld } from '@testing/delivery-world';
import { answered } from '@testing/fake-sender';
import { TestEndpoint } from '../delivery.commands.js';
import { eventsProjection } from '../fan-out/events.projection.js';
import { deliveriesProjection } from '../deliveries.projection.js';
import { TestEndpointHandler } from '../test-endpoint.handler.js';

const DAY = 86_400_000;
const EVENTS = eventsProjection.schema.name;
const DELIVERIES = deliveriesProjection.schema.name;

let world: DeliveryWorld;
let endpointId: string;
/** Lets the receiver answer. */
let answer: (result: SendResult) => void;

beforeEach(async () => {
  world = await DeliveryWorld.create();
  endpointId = (await world.register()).endpoint.id;
  const answering = new Promise<SendResult>((resolve) => (answer = resolve));
  world.sender.answer = () => answering;
});
afterEach(async () => {
  answer(answered(200));
  await world.close();
});

const now = () => world.ledger.clock.now();
const due = (name: string, field: string) => world.ledger.ports.readModels.due(name, field, now(), 100);

async function rowOf(name: string, id: string): Promise<StoredRow> {
  const [row] = await world.ledger.ports.readModels.getMany(name, [id]);
  if (!row) throw new Error(`no row of ${id}`);
  return row;
}

async function sweep(): Promise<void> {
  await world.retention.sweep(now(), new AbortController().signal, ENVELOPE);
  await world.elapse(2_000);
}

/** Leaves the rows as a rebuild does that had read no further when their streams were dropped. */
async function leave(name: string, ...rows: readonly StoredRow[]): Promise<void> {
  const { readModels, events } = world.ledger.ports;
  const rebuild = await readModels.rebuild(name);
  await rebuild.apply(rows, await events.head());
  await rebuild.switchOver();
}

/** An event whose first attempt is running. */
async function emitted() {
  const eventId = await world.emit();
  await world.elapse(1_000);
  const [delivery] = await world.deliveries(eventId);
  return { eventId, deliveryId: delivery?.id ?? '' };
}

describe('rows whose stream was dropped without their knowing', () => {
  it('lose the bytes of the event, and the delivery that would be sent for ever', async () => {
    const { eventId, deliveryId } = await emitted();
    const rows = [await rowOf(EVENTS, eventId), await rowOf(DELIVERIES, deliveryId)] as const;
    answer(answered(200));
    await world.elapse(2_000);
    world.ledger.clock.set(now() + 31 * DAY);
    await sweep();
    await leave(EVENTS, rows[0]);
    await leave(DELIVERIES, rows[1]);
    expect([await due(EVENTS, 'retireAt'), await due(DELIVERIES, 'lostAt')]).toEqual([[rows[0]], [rows[1]]]);
    await sweep();
    expect([await due(EVENTS, 'retireAt'), await due(DELIVERIES, 'lostAt')]).toEqual([[], []]);
    expect(await rowOf(EVENTS, eventId)).toMatchObject({ deleted: false, row: { type: 'appointment.created', retireAt: null } });
    expect(await rowOf(EVENTS, eventId)).not.toHaveProperty('text');
    expect(await rowOf(DELIVERIES, deliveryId)).toMatchObject({ deleted: true, row: { eventId } });
  });

  it('lose the delivery of a test event, which no log of events lists', async () => {
    answer(answered(200));
    const { directory, streams, scheduling, ledger } = world;
    const testing = new TestEndpointHandler(directory, streams, scheduling, ledger.clock, ledger.ids);
    const { id } = await testing.execute(new TestEndpoint(ledger.context(), endpointId, 'appointment.created', {}));
    await world.elapse(2_000);
    const row = await rowOf(DELIVERIES, id);
    ledger.clock.set(now() + 31 * DAY);
    await sweep();
    await leave(DELIVERIES, row);
    expect(await due(DELIVERIES, 'retireAt')).toEqual([row]);
    await sweep();
    expect(await due(DELIVERIES, 'retireAt')).toEqual([]);
  });

  it('stay as they are while their stream is there, however old', async () => {
    const { eventId, deliveryId } = await emitted();
    world.ledger.clock.set(now() + 31 * DAY);
    const rows = [await rowOf(EVENTS, eventId), await rowOf(DELIVERIES, deliveryId)];
    await sweep();
    expect([await rowOf(EVENTS, eventId), await rowOf(DELIVERIES, deliveryId)]).toEqual(rows);
  });

  it('are not looked for among what is overdue and young', async () => {
    const { eventId } = await emitted();
    world.ledger.clock.set(now() + DAY);
    const read = jest.spyOn(world.ledger.ports.events, 'read');
    await world.retention.sweep(now(), new AbortController().signal, ENVELOPE);
    expect(await due(DELIVERIES, 'lostAt')).toHaveLength(1);
    expect(read.mock.calls.filter(([stream]) => stream === `deliveries-${eventId}`)).toEqual([]);
  });
});
