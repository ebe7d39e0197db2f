import { originOf } from '@testing/envelopes';
import { HALF_HOUR, LEDGER_PROJECT, LedgerWorld, NINE_ON_MONDAY, OTHER_PROJECT } from '@testing/ledger-world';
import type { AppointmentEvent } from '@domain/appointment/appointment.events';
import { type FeedBatch, START } from '@ports/event-store.port';
import { sessionsProjection } from '../sessions/sessions.projection.js';
import { idFor } from '../runtime/request-context.js';
import { appointmentStream } from './appointment-directory.js';
import { appointmentsProjection, toAppointment } from './appointments.projection.js';

let world: LedgerWorld;
beforeEach(async () => {
  world = await LedgerWorld.create();
});
afterEach(() => world.close());

const later = {
  type: 'RescheduleAppointment',
  startsAt: NINE_ON_MONDAY + HALF_HOUR,
  endsAt: null,
  mode: 'in_place',
  confirm: false,
} as const;
const cancel = { type: 'CancelAppointment', reason: null, cancelledBy: 'customer' } as const;

async function eventsOf(id: string): Promise<readonly AppointmentEvent['type'][]> {
  const records = await world.ports.events.read<AppointmentEvent>(appointmentStream(id));
  return records.map(({ event }) => event.type);
}

async function openCall(context = world.context(), conversationId: string | null = null) {
  const sessionId = idFor(world.ids, context, 'session', 'session');
  const call = { direction: 'inbound', from: null, to: null, conversationId, metadata: '{}', externalId: null } as const;
  const customer = { phone: '+4915112345678' };
  return world.opening.open(
    { ...call, customer, sessionId, projectId: LEDGER_PROJECT, at: world.clock.now() },
    originOf(context.commandId),
  );
}

describe('booking', () => {
  it('links the customer named by phone', async () => {
    const { appointment } = await world.book({ customer: { phone: '+4915112345678' } });
    const again = await world.book({ customer: { phone: '+4915112345678' }, startsAt: NINE_ON_MONDAY + HALF_HOUR });
    expect(appointment.customerId).toMatch(/^cust_/);
    expect(again.appointment.customerId).toBe(appointment.customerId);
    expect(again.deduplicated).toBe(false);
  });

  it('on a call belongs to the conversation that the call belongs to', async () => {
    const call = await openCall(world.context(), 'conv_01J9Z3K8Q4T6V8X0A2C4E6G8J0');
    const { appointment } = await world.book({ sessionId: call.id });
    expect(appointment).toMatchObject({ sessionId: call.id, conversationId: call.conversationId, source: 'voice_agent' });
  });

  it('is not done twice for the same customer, service, resource and time', async () => {
    const customer = { phone: '+4915112345678' };
    const first = await world.book({ customer });
    const second = await world.book({ customer });
    expect(second).toEqual({ appointment: first.appointment, deduplicated: true });
    for (const other of [{ service: 'x' }, { resourceId: 'chair_1' }, { startsAt: 5 }, { customer: { phone: '+491' } }]) {
      expect((await world.book({ customer, ...other })).deduplicated).toBe(false);
    }
  });

  it('is done once by many at the same time', async () => {
    const booked = await Promise.all(Array.from({ length: 10 }, () => world.book()));
    expect(new Set(booked.map(({ appointment }) => appointment.id)).size).toBe(1);
    expect(booked.filter(({ deduplicated }) => !deduplicated)).toHaveLength(1);
  });

  it('is possible again after a cancellation, a failure or a move away', async () => {
    const first = await world.book();
    await world.change(first.appointment.id, cancel);
    const second = await world.book();
    expect(second.deduplicated).toBe(false);
    await world.change(second.appointment.id, later);
    const third = await world.book();
    expect(third.deduplicated).toBe(false);
    await world.change(third.appointment.id, { type: 'FailAppointment', code: 'x', message: 'y' });
    expect((await world.book()).deduplicated).toBe(false);
  });

  it('finds the appointment that has moved to the time', async () => {
    const { appointment } = await world.book();
    await world.change(appointment.id, later);
    const again = await world.book({ startsAt: later.startsAt });
    expect(again).toMatchObject({ deduplicated: true, appointment: { id: appointment.id, status: 'rescheduled' } });
  });

  it('is repeated under the same request without a second effect', async () => {
    const first = await world.book({ as: { status: 'confirmed' } }, world.context('key'));
    const again = await world.book({ as: { status: 'confirmed' } }, world.context('key', true));
    expect(again).toEqual(first);
    expect(await eventsOf(first.appointment.id)).toEqual(['AppointmentBooked', 'AppointmentConfirmed']);
  });

  it('is finished by the next who comes when it was only claimed', async () => {
    const { claims } = world;
    const { appointment } = await world.book();
    await world.change(appointment.id, cancel);
    const lost = world.context('lost');
    const appointmentId = idFor(world.ids, lost, 'appointment', 'appointment');
    const booked = await world.ports.events.read<AppointmentEvent>(appointmentStream(appointment.id));
    const { type: _type, at, cause, ...details } = booked[0]!.event as Extract<AppointmentEvent, { type: 'AppointmentBooked' }>;
    const promised = { type: 'BookAppointment', at, cause: { ...cause, commandId: 'lost' }, confirmed: false } as const;
    await claims.acquire({
      kind: 'booking',
      projectId: LEDGER_PROJECT,
      value: JSON.stringify([null, details.service, null, details.startsAt]),
      holder: appointmentId,
      creation: { ...promised, details: { ...details, appointmentId } },
      origin: originOf('lost:booking'),
      hasLeft: () => Promise.resolve(true),
    });
    const next = await world.book();
    expect(next).toMatchObject({ deduplicated: true, appointment: { id: appointmentId, status: 'pending' } });
  });

  it('keeps an attempt that failed, every time', async () => {
    const as = { status: 'failed', code: 'calendar_unavailable', message: 'Down.' } as const;
    const [one, two] = [await world.book({ as }), await world.book({ as })];
    expect(one.appointment).toMatchObject({ status: 'failed', version: 1, failure: { code: 'calendar_unavailable' } });
    expect(two.appointment.id).not.toBe(one.appointment.id);
  });

  it('on a call takes the customer of the call and names it as its source', async () => {
    const call = await openCall();
    const { appointment } = await world.book({ sessionId: call.id });
    expect(appointment).toMatchObject({ customerId: call.customerId, sessionId: call.id, source: 'voice_agent' });
    const [booked] = await world.ports.events.read<AppointmentEvent>(appointmentStream(appointment.id));
    expect(booked?.event.cause.actor).toEqual({ type: 'agent', sessionId: call.id });
  });

  it('refuses references to what the project does not have', async () => {
    const call = await openCall();
    const { appointment } = await world.book({ customer: { phone: '+491' } });
    const elsewhere = world.context(null, false, OTHER_PROJECT);
    const missing = (param: string) => ({ code: 'resource_missing', details: { param } });
    await expect(world.book({ sessionId: call.id }, elsewhere)).rejects.toMatchObject(missing('session_id'));
    await expect(world.book({ sessionId: 'sess_x' })).rejects.toMatchObject(missing('session_id'));
    await expect(world.book({ customerId: appointment.customerId }, elsewhere)).rejects.toMatchObject(missing('customer_id'));
    await expect(world.change(appointment.id, cancel, elsewhere)).rejects.toMatchObject(missing('id'));
    await expect(world.change('apt_x', cancel)).rejects.toMatchObject(missing('id'));
  });

  it('refuses a bad time before it makes a customer', async () => {
    const bad = world.book({ customer: { phone: '+4915199999999' }, endsAt: NINE_ON_MONDAY });
    await expect(bad).rejects.toMatchObject({ code: 'time_range_invalid' });
    expect(await world.claims.holder('phone', LEDGER_PROJECT, '+4915199999999')).toBeNull();
  });
});

/** The times of all changes, in log order. */
async function moments(): Promise<readonly number[]> {
  const { events } = world.ports;
  const feed = events.subscribe(START, { categories: ['appointment'], atOnce: 1_000, signal: new AbortController().signal });
  const { value } = (await feed[Symbol.asyncIterator]().next()) as { value: FeedBatch };
  return value.events.map(({ event }) => event.at);
}

describe('changes at the same time', () => {
  it('bear moments in the order of the log, though some take longer to be stored: who follows the events misses none', async () => {
    const [known, moving] = [await world.book(), await world.book({ startsAt: NINE_ON_MONDAY + 9 * HALF_HOUR })];
    const { events } = world.ports;
    const append = events.append.bind(events);
    events.append = async (...args) => {
      world.clock.set(world.clock.now() + 1);
      return append(...args);
    };
    await Promise.all([
      world.book({ startsAt: NINE_ON_MONDAY + 3 * HALF_HOUR, customer: { phone: '+4915112345678' } }),
      world.change(moving.appointment.id, later),
      world.book({ startsAt: NINE_ON_MONDAY + 5 * HALF_HOUR }),
      world.change(known.appointment.id, { type: 'ConfirmAppointment' }),
    ]);
    const told = await moments();
    expect(told).toHaveLength(6);
    expect(told).toEqual(told.toSorted((one, other) => one - other));
  });
});

describe('changing an appointment', () => {
  it('confirmed ten times at once is confirmed once', async () => {
    const { appointment } = await world.book();
    const all = await Promise.all(Array.from({ length: 10 }, () => world.change(appointment.id, { type: 'ConfirmAppointment' })));
    expect(all.map(({ version }) => version)).toEqual(Array.from({ length: 10 }, () => 2));
    expect(await eventsOf(appointment.id)).toEqual(['AppointmentBooked', 'AppointmentConfirmed']);
  });

  it('cancelling and recreating keeps one correlation id', async () => {
    const { appointment } = await world.book();
    await world.change(appointment.id, { ...later, mode: 'cancel_and_recreate' });
    const records = await world.ports.events.read<AppointmentEvent>(appointmentStream(appointment.id));
    const [, gone, back] = records.map(({ event }) => event);
    expect([gone?.type, back?.type]).toEqual(['AppointmentCancelled', 'AppointmentRecreated']);
    expect(gone?.cause).toEqual(back?.cause);
    expect(gone?.cause).toMatchObject({ reason: 'rescheduling', correlationId: expect.stringMatching(/^cor_/) as string });
  });

  it('rebooked again under the same request stays rebooked', async () => {
    const { appointment } = await world.book();
    await world.change(appointment.id, cancel);
    const rebook = { type: 'RebookAppointment', startsAt: later.startsAt, endsAt: null } as const;
    const first = await world.change(appointment.id, rebook, world.context('key'));
    expect(await world.change(appointment.id, rebook, world.context('key', true))).toEqual(first);
    await expect(world.change(appointment.id, rebook)).rejects.toMatchObject({ code: 'appointment_invalid_transition' });
  });
});

describe('lists', () => {
  beforeEach(() => world.hosting({ projections: [appointmentsProjection, sessionsProjection] }));

  it('show appointments as their streams tell them', async () => {
    const { appointment } = await world.book({ metadata: '{"2":1,"1":12345678901234567890}' });
    const moved = await world.change(appointment.id, later);
    const { items } = await world.list(appointmentsProjection, [[{ field: 'status', op: 'in', value: ['rescheduled'] }]]);
    expect(items.map(toAppointment)).toEqual([moved]);
    const none = await world.list(appointmentsProjection, [[{ field: 'status', op: 'eq', value: 'pending' }]]);
    expect(none.items).toEqual([]);
  });

  it('show calls with the appointments made on them', async () => {
    const call = await openCall();
    const { appointment } = await world.book({ sessionId: call.id });
    expect((await world.sessionViews.viewOf(call)).appointmentIds).toEqual([appointment.id]);
    const { items } = await world.list(sessionsProjection, [[{ field: 'status', op: 'eq', value: 'open' }]]);
    expect(items[0]).toMatchObject({ id: call.id, row: { appointmentIds: [appointment.id] } });
  });
});
