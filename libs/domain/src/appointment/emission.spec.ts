import { isId, timeOfId } from '../kernel/ids.js';
import { eventIdOf, firstEventIdAt } from '../event/event-id.js';
import { UNBOOKED, type Appointment } from './appointment.js';
import type { AppointmentEvent, BookingDetails } from './appointment.events.js';
import { emission, emittedType } from './emission.js';
import { evolveAppointment } from './evolve-appointment.js';

const details: BookingDetails = {
  appointmentId: 'apt_1',
  projectId: 'prj_1',
  customerId: null,
  sessionId: null,
  conversationId: null,
  externalId: null,
  service: 'haircut',
  resourceId: null,
  startsAt: 1_000,
  endsAt: 2_000,
  timeZone: 'UTC',
  location: null,
  notes: null,
  source: 'api',
  metadata: '{}',
};
const happened = {
  at: 10,
  projectId: 'prj_1',
  cause: {
    reason: null,
    actor: { type: 'client', sessionId: null },
    commandId: 'cmd_1',
    correlationId: 'cor_1',
    requestId: 'req_1',
    idempotencyKey: 'k-1',
  },
} as const;
const booked: AppointmentEvent = { ...happened, type: 'AppointmentBooked', ...details };
const confirmed: AppointmentEvent = { ...happened, at: 11, type: 'AppointmentConfirmed' };
const moved: AppointmentEvent = { ...happened, at: 12, type: 'AppointmentRescheduled', startsAt: 3_000, endsAt: 4_000 };
const cancelled: AppointmentEvent = { ...happened, at: 13, type: 'AppointmentCancelled', reason: 'ill', cancelledBy: 'customer' };
const recreated: AppointmentEvent = { ...happened, at: 13, type: 'AppointmentRecreated', startsAt: 5_000, endsAt: 6_000 };

const after = (...events: AppointmentEvent[]): Appointment => events.reduce(evolveAppointment, UNBOOKED);

describe('what the world is told', () => {
  it('is the appointment as it is now, and that there was none', () =>
    expect(emission(UNBOOKED, booked)).toEqual({
      type: 'appointment.created',
      at: 10,
      appointment: after(booked),
      previous: { status: null },
      change: { reason: 'booked', actor: { type: 'client', sessionId: null }, correlationId: 'cor_1', previousVersion: 0 },
      request: { id: 'req_1', idempotencyKey: 'k-1' },
    }));

  it('has the earlier status and every other changed member', () => {
    expect(emission(after(booked), confirmed)?.previous).toEqual({ status: 'pending', confirmedAt: null });
    expect(emission(after(booked, confirmed), moved)?.previous).toEqual({
      status: 'confirmed',
      confirmedAt: 11,
      startsAt: 1_000,
      endsAt: 2_000,
      reschedule: null,
    });
  });

  it('has the earlier status even when it is the same', () =>
    expect(emission(after(booked, moved), { ...moved, startsAt: 7_000, endsAt: 8_000 })?.previous).toMatchObject({
      status: 'rescheduled',
      startsAt: 3_000,
    }));

  it('has what the appointment had failed of, when it is booked again', () => {
    const failed: AppointmentEvent = { ...happened, type: 'AppointmentFailed', code: 'closed', message: 'Closed.' };
    const again: AppointmentEvent = { ...happened, type: 'AppointmentRebooked', startsAt: 1_000, endsAt: 2_000 };
    expect(emission(after(booked, failed), again)?.previous).toEqual({
      status: 'failed',
      failure: { code: 'closed', message: 'Closed.', at: 10 },
    });
  });

  it('is a cancellation and a creation when an appointment is recreated', () => {
    expect(emission(after(booked), cancelled)).toMatchObject({ type: 'appointment.cancelled', previous: { status: 'pending' } });
    expect(emission(after(booked, cancelled), recreated)).toMatchObject({
      type: 'appointment.created',
      appointment: { status: 'pending', version: 3 },
      previous: { status: 'cancelled', cancellation: { reason: 'ill' }, startsAt: 1_000 },
      change: { reason: 'rescheduling', previousVersion: 2 },
    });
  });

  it('carries the reason of the request when it gave one', () =>
    expect(
      emission(after(booked), { ...confirmed, cause: { ...happened.cause, reason: 'confirmed_on_call' } })?.change.reason,
    ).toBe('confirmed_on_call'));

  it('is nothing when only notes changed', () => {
    const amended: AppointmentEvent = { ...happened, type: 'AppointmentAmended', changes: { notes: 'x' } };
    expect(emission(after(booked), amended)).toBeNull();
    expect(emittedType(amended)).toBeNull();
  });
});

describe('the id of an emitted event', () => {
  const appointmentId = 'apt_01J9Z3K8Q4T6V8X0A2C4E6G8J0';

  it('is an event id of the time it happened', () => {
    const id = eventIdOf(appointmentId, 3, 1_700_000_000_000);
    expect(isId('event', id)).toBe(true);
    expect(timeOfId(id)).toBe(1_700_000_000_000);
  });
  it('is the one that every earlier version gave it', () =>
    expect(eventIdOf(appointmentId, 70_003, 1_772_355_600_000)).toBe('evt_01KJMA0FM0T6VSZWJ2C4E6G8J0'));
  it('is in its place among the first ids of each time', () => {
    const id = eventIdOf(appointmentId, 3, 1_700_000_000_000);
    expect(firstEventIdAt(1_700_000_000_000) <= id).toBe(true);
    expect(firstEventIdAt(1_700_000_000_001) > id).toBe(true);
    expect(firstEventIdAt(-5)).toBe(firstEventIdAt(0));
  });
  it('is the same for the same place and another for every other', () => {
    const next = 'apt_01J9Z3K8Q4T6V8X0A2C4E6G8J1';
    const places = [appointmentId, next].flatMap((id) =>
      [0, 1, 2, 255, 256, 70_000].map((revision) => eventIdOf(id, revision, 5)),
    );
    expect(new Set(places).size).toBe(places.length);
    expect(eventIdOf(appointmentId, 1, 5)).toBe(eventIdOf(appointmentId, 1, 5));
  });
});
