import type { ExpectedRevision, FeedBatch } from '@ports/event-store.port';
import { ENVELOPE } from '@testing/envelopes';
import { DeliveryWorld } from '@testing/delivery-world';
import { eventsProjection } from '../fan-out/events.projection.js';
import { deliveriesProjection } from '../deliveries.projection.js';

const DAY = 86_400_000;
/** More than the engine's cache of newest events: older ones cannot be read once dropped. */
const THOUSANDS = 9;
const NAMES = [eventsProjection, deliveriesProjection].map(({ schema }) => schema.name);

let world: DeliveryWorld;
let eventId: string;
let deliveryId: string;
/** Lets the rebuild read on. */
let readOn: () => void;

beforeEach(async () => {
  world = await DeliveryWorld.create();
  await world.register();
  eventId = await world.emit();
  await world.elapse(2_000);
  const [delivery] = await world.deliveries(eventId);
  deliveryId = delivery?.id ?? '';
  world.ledger.clock.set(world.ledger.clock.now() + 31 * DAY);
  await world.quiet();
});
afterEach(async () => {
  readOn();
  await world.close();
});

/** Rebuilds both read models up to the scheduling of the delivery. */
async function halfRebuilt(): Promise<{ readonly finished: Promise<unknown> }> {
  const { ports, projections } = world.ledger;
  const { events } = ports;
  const subscribe = events.subscribe.bind(events);
  const waiting = new Promise<void>((resolve) => (readOn = resolve));
  events.subscribe = async function* (from, options) {
    for await (const batch of subscribe(from, options)) {
      const { upTo } = yield* upToScheduling(batch);
      await waiting;
      yield* subscribe(upTo, options);
    }
  };
  const finished = Promise.all(NAMES.map((name) => projections.rebuild(name).finished));
  await world.quiet();
  events.subscribe = subscribe;
  return { finished };
}

function* upToScheduling({ events }: FeedBatch): Generator<FeedBatch, FeedBatch> {
  const index = events.findIndex(({ event }) => event.type === 'DeliveryScheduled');
  const read = events.slice(0, index + 1);
  const part = { events: read, upTo: read.at(-1)?.position ?? '' };
  yield part;
  return part;
}

async function othersWrite(): Promise<void> {
  const { ports, clock, ids } = world.ledger;
  let revision: ExpectedRevision = 'none';
  for (let thousand = 0; thousand < THOUSANDS; thousand++) {
    const batch = Array.from({ length: 1_000 }, () => ({ id: ids.uuid(), event: { type: 'Noted', at: clock.now() } }));
    ({ revision } = await ports.events.append('note-1', batch, revision));
  }
}

async function sweep(): Promise<void> {
  await world.retention.sweep(world.ledger.clock.now(), new AbortController().signal, ENVELOPE);
  await world.quiet();
}

describe('retention beside a rebuild', () => {
  it('drops nothing of which the rebuild has read only the beginning, and all of it once the new rows know', async () => {
    const { finished } = await halfRebuilt();
    await sweep();
    expect(await world.streams.frozen(eventId)).not.toBeNull();
    await othersWrite();
    readOn();
    await finished;
    await world.elapse(60_000, 5_000);
    expect(await world.streams.frozen(eventId)).toBeNull();
    const { readModels } = world.ledger.ports;
    const [event] = await readModels.getMany(eventsProjection.schema.name, [eventId]);
    const [delivery] = await readModels.getMany(deliveriesProjection.schema.name, [deliveryId]);
    expect([event, delivery]).toMatchObject([{ row: { retireAt: null } }, { deleted: true }]);
    expect(event).not.toHaveProperty('text');
  });
});
