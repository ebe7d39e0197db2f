import type { DeliveryEvent } from '@domain/delivery/delivery.events';
import { ENVELOPE } from '@testing/envelopes';
import { DeliveryWorld } from '@testing/delivery-world';
import { TestEndpoint } from '../delivery.commands.js';
import { ExpiredEventsReactor } from './expired-events.reactor.js';
import { TestEndpointHandler } from '../test-endpoint.handler.js';

const DAY = 86_400_000;
const NEVER = new AbortController().signal;

let world: DeliveryWorld;
let emitted: string;
let tested: string;
beforeEach(async () => {
  world = await DeliveryWorld.create();
  const { endpoint } = await world.register();
  emitted = await world.emit();
  const { directory, streams, scheduling, ledger } = world;
  const testing = new TestEndpointHandler(directory, streams, scheduling, ledger.clock, ledger.ids);
  tested = (await testing.execute(new TestEndpoint(ledger.context(), endpoint.id, 'appointment.created', {}))).eventId;
  await world.elapse(2_000, 500);
  ledger.clock.set(ledger.clock.now() + 31 * DAY);
});
afterEach(() => world.close());

/** What is still stored of the two events' deliveries. */
async function kept(): Promise<readonly string[]> {
  const { events } = world.ledger.ports;
  const streams = await Promise.all([emitted, tested].map((id) => events.read<DeliveryEvent>(`deliveries-${id}`)));
  return streams.map((records) => records.at(-1)?.event.type ?? 'nothing');
}

async function sweep(): Promise<void> {
  await world.retention.sweep(world.ledger.clock.now(), NEVER, ENVELOPE);
  await world.quiet();
}

/** A store that drops nothing until `end` is called. */
function keeping(): { readonly end: () => void } {
  const { events } = world.ledger.ports;
  const retire = events.retire.bind(events);
  events.retire = () => Promise.reject(new Error('the disk is full'));
  return { end: () => void (events.retire = retire) };
}

describe('the bytes of expired events', () => {
  it('go with the record of their deliveries', async () => {
    await sweep();
    expect(await kept()).toEqual(['nothing', 'nothing']);
  });

  it('go once the store that refused to drop them does so', async () => {
    const disk = keeping();
    await sweep();
    expect(await kept()).toEqual(['DeliveriesExpired', 'DeliveriesExpired']);
    disk.end();
    await world.elapse(5_000, 500);
    expect(await kept()).toEqual(['nothing', 'nothing']);
  });

  it.each([
    ['before', () => keeping()],
    ['in a rebuild', () => world.ledger.ports.readModels.rebuild('deliveries')],
  ])('go after the next start when the process dies %s', async (_, begin) => {
    await begin();
    await sweep();
    world = await world.killed();
    expect(await kept()).toEqual(['DeliveriesExpired', 'DeliveriesExpired']);
    await world.working();
    await world.quiet();
    expect(await kept()).toEqual(['nothing', 'nothing']);
  });

  it.each(['events', 'deliveries'])('stay while the %s do not show that they are expired', async (late) => {
    const disk = keeping();
    await sweep();
    const records = await world.ledger.ports.events.read(`deliveries-${emitted}`);
    disk.end();
    const { readModels } = world.ledger.ports;
    const reached = readModels.reached.bind(readModels);
    readModels.reached = (name, ...rest) => (name === late ? Promise.resolve(false) : reached(name, ...rest));
    const reactor = new ExpiredEventsReactor(world.streams, world.ledger.fresh);
    await expect(reactor.handle(records, NEVER)).rejects.toThrow(`${late} are late`);
    expect(await kept()).toEqual(['DeliveriesExpired', 'DeliveriesExpired']);
  });

  it.each(['events', 'deliveries'])('stay while the %s are rebuilt, and go after that', async (name) => {
    const rebuild = await world.ledger.ports.readModels.rebuild(name);
    await sweep();
    await world.elapse(5_000, 500);
    expect(await kept()).toEqual(['DeliveriesExpired', 'DeliveriesExpired']);
    await rebuild.abandon();
    await world.elapse(5_000, 500);
    expect(await kept()).toEqual(['nothing', 'nothing']);
  });
});
