import type { Endpoint } from '@domain/endpoint/endpoint';
import { StoreUnavailable } from '@ports/event-store.port';
import { ENVELOPE, originOf } from '@testing/envelopes';
import { DeliveryWorld } from '@testing/delivery-world';
import { FakeClock } from '@testing/fake-clock';
import { FakeIds } from '@testing/fake-ids';
import { answered } from '@testing/fake-sender';
import { fakeSettings } from '@testing/fake-settings';
import { LEDGER_PROJECT } from '@testing/ledger-world';
import { FakeEngine } from '@testing/fake-engine';
import { Shutdown } from '../../runtime/shutdown.js';
import { AttemptClaims } from './attempt-claims.js';
import type { DeliveryStreams } from '../delivery-streams.js';

let world: DeliveryWorld;
beforeEach(async () => {
  world = await DeliveryWorld.create();
});
afterEach(() => world.close());

/** The store rejects so many outcomes. */
function refusing(times: number): { readonly refused: number } {
  const { events } = world.ledger.ports;
  const append = events.append.bind(events);
  const counted = { refused: 0 };
  events.append = (stream, batch, expected) => {
    const isOutcome = batch.some(({ event }) => 'result' in event);
    if (!isOutcome || counted.refused >= times) return append(stream, batch, expected);
    counted.refused++;
    return Promise.reject(new StoreUnavailable('the disk is full'));
  };
  return counted;
}

describe('the outcome of an attempt', () => {
  it.each([
    [200, 'succeeded'],
    [410, 'failed'],
  ])('is recorded as soon as the store takes it, and nothing is sent twice: %d', async (status, outcome) => {
    world.sender.answer = () => answered(status);
    const store = refusing(5);
    await world.register();
    const eventId = await world.emit();
    await world.elapse(5_000, 100);
    expect(store.refused).toBe(5);
    expect(await world.deliveries(eventId)).toMatchObject([{ status: outcome, attempts: [{ status, errorCode: null }] }]);
    await world.overdue.sweep(world.ledger.clock.now(), new AbortController().signal);
    await world.quiet();
    expect(world.sender.sent).toHaveLength(1);
  });

  it.each([
    ['deleted', 'endpoint_deleted', [{ type: 'DeleteEndpoint' }]],
    [
      'disabled and enabled again',
      'endpoint_disabled',
      [
        { type: 'UpdateEndpoint', changes: { status: 'disabled' } },
        { type: 'UpdateEndpoint', changes: { status: 'enabled' } },
      ],
    ],
  ])('is the end when its endpoint was %s while it was under way', async (_, cancelReason, commands) => {
    const { endpoint } = await world.register();
    world.sender.answer = () => answered(503);
    const send = world.sender.send.bind(world.sender);
    world.sender.send = async (request) => {
      for (const command of commands) {
        const { projectId, commandId } = world.ledger.context();
        await world.directory.run(
          projectId,
          { at: 1, endpointId: endpoint.id, commandId, ...command } as never,
          originOf(commandId),
        );
      }
      return send(request);
    };
    const eventId = await world.emit();
    await world.quiet();
    expect(await world.deliveries(eventId)).toMatchObject([{ status: 'cancelled', cancelReason }]);
  });

  it.each([
    [299, null],
    [300, 'redirect'],
    [399, 'redirect'],
    [400, null],
  ])('with the status %d is told with the code %p', async (status, errorCode) => {
    world.sender.answer = () => answered(status);
    await world.register();
    const eventId = await world.emit();
    await world.quiet();
    expect(await world.deliveries(eventId)).toMatchObject([{ attempts: [{ status, errorCode }] }]);
  });

  it('is given up when its lease is over', async () => {
    const store = refusing(1_000);
    await world.register();
    await world.emit();
    await world.elapse(60_000, 1_000);
    expect(world.scheduler.inFlight).toBe(0);
    expect([store.refused > 5, store.refused < 15]).toEqual([true, true]);
  });
});

describe('the claim of an attempt', () => {
  it('is held five seconds longer than its POST may take', async () => {
    const leases: unknown[] = [];
    const streams = {
      submit: async (_: string, prepare: () => Promise<{ leaseMs: number }>) => (
        leases.push((await prepare()).leaseMs),
        { state: { deliveries: [] }, events: [] }
      ),
    } as unknown as DeliveryStreams;
    const clock = new FakeClock();
    const settings = fakeSettings();
    const claims = new AttemptClaims(streams, settings, new FakeEngine(), clock, new FakeIds(clock), new Shutdown());
    await claims.claim(
      { eventId: 'evt_1', deliveryId: 'del_1' } as never,
      () => Promise.resolve(null),
      () => undefined,
    );
    expect(leases).toEqual([settings.webhookTimeoutMs + 5_000]);
  });

  describe('to one endpoint', () => {
    let endpoint: Endpoint;
    let isDeleted: boolean;

    /** An event with two unpublished deliveries, and claims by another process that has read nothing yet. */
    async function claiming() {
      const { ledger, streams, scheduling } = world;
      const { clock, ids } = ledger;
      isDeleted = false;
      endpoint = await world.directory.load(LEDGER_PROJECT, (await world.register()).endpoint.id);
      const [eventId, at] = [ids.next('event'), clock.now()];
      const deliveries = ['a', 'b'].map(() => scheduling.newDelivery(endpoint, ids.next('delivery'), 'event', at));
      const event = { eventId, projectId: LEDGER_PROJECT, eventType: 'appointment.created', appointmentId: 'apt_1' };
      await streams.freeze(
        { type: 'FreezeEvent', at, event: { ...event, emittedAt: at, body: '{}', test: false }, deliveries },
        ENVELOPE,
      );
      const other = world.beside();
      const claims = new AttemptClaims(other.streams, world.settings, new FakeEngine(), clock, ids, new Shutdown());
      const find = () => Promise.resolve(isDeleted ? null : endpoint);
      const claim = async (which: number) => {
        const { projectId, appointmentId } = event;
        const about = { eventId, projectId, endpointId: endpoint.id, appointmentId };
        const pointer = { ...about, deliveryId: deliveries[which]?.deliveryId } as never;
        return (await claims.claim(pointer, find, () => undefined))?.claimed?.attempt ?? null;
      };
      return { claim, events: other.ledger.ports.events };
    }

    it('is got by one of all who share an append, however many claims are in it', async () => {
      const { claim } = await claiming();
      // The first is appended alone, then the others together.
      expect(await Promise.all([0, 0, 1, 1].map(claim))).toEqual([1, null, 1, null]);
    });

    it('that is deleted while the deliveries of the event are read is not got', async () => {
      const { claim, events } = await claiming();
      const read = events.read.bind(events);
      events.read = async (...asked) => {
        const records = await read(...asked);
        isDeleted = true;
        return records as never;
      };
      expect(await claim(0)).toBeNull();
    });

    it('that is deleted while another claim of the event is appended is not got', async () => {
      const { claim, events } = await claiming();
      const append = events.append.bind(events);
      events.append = async (...asked) => {
        const appended = await append(...asked);
        isDeleted = true;
        return appended;
      };
      expect(await Promise.all([claim(0), claim(1)])).toEqual([1, null]);
    });
  });
});
