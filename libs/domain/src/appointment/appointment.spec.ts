import { cause } from '@testing/appointment-events';
import { DomainError } from '../kernel/domain-error.js';
import { APPOINTMENT_STATUSES, UNBOOKED, allowedTransitions, naturalKey, type Appointment } from './appointment.js';
import type { AppointmentCommand } from './appointment.commands.js';
import { appointmentDecider } from './appointment.decider.js';
import { evolveAppointment } from './evolve-appointment.js';

const requested = { at: 10, cause, expectedVersion: null };
const TIME = { startsAt: 3_000, endsAt: 4_000 };

const LEADING: readonly AppointmentCommand[] = [
  { ...requested, type: 'ConfirmAppointment' },
  { ...requested, type: 'RescheduleAppointment', mode: 'in_place', confirm: false, ...TIME },
  { ...requested, type: 'CancelAppointment', reason: null, cancelledBy: 'customer' },
  { ...requested, type: 'FailAppointment', code: 'closed', message: 'Closed.' },
  { ...requested, type: 'RebookAppointment', ...TIME },
];

function reached(appointment: Appointment): ReadonlySet<string> {
  return new Set(LEADING.flatMap((command) => changed(command, appointment)).map(({ status }) => status));
}

function changed(command: AppointmentCommand, appointment: Appointment): readonly Appointment[] {
  try {
    return appointmentDecider.decide(command, appointment).map((event) => evolveAppointment(appointment, event));
  } catch (error) {
    if (error instanceof DomainError) return [];
    throw error;
  }
}

describe('the transitions of an appointment', () => {
  it.each(APPOINTMENT_STATUSES)('that is %s are those that are told', (status) => {
    const appointment = { ...UNBOOKED, status, startsAt: 1_000, endsAt: 2_000 };
    expect(reached(appointment)).toEqual(new Set(allowedTransitions(status)));
  });
});

describe('the natural key of an appointment', () => {
  const haircut = { ...UNBOOKED, service: 'haircut', startsAt: 1_000 };
  const all = [
    haircut,
    { ...haircut, customerId: 'cust_1' },
    { ...haircut, sessionId: 'sess_1' },
    { ...haircut, sessionId: 'sess_2' },
    { ...haircut, conversationId: 'conv_1' },
    { ...haircut, service: 'shave' },
    { ...haircut, resourceId: 'chair_2' },
    { ...haircut, startsAt: 2_000 },
  ];

  it('is another for another person, call, conversation, service, resource or start', () =>
    expect(new Set(all.map(naturalKey)).size).toBe(all.length));

  it.each(['Haircut', ' haircut', 'haircut\n', 'HAIRCUT\u00a0'])(
    'is that of the same service in another spelling: %j',
    (service) => expect(naturalKey({ ...haircut, service })).toBe(naturalKey(haircut)),
  );

  it('is one for every Unicode form of a service', () => {
    const [composed, decomposed] = ['Z\u00c4HNE', 'za\u0308hne'].map((service) => naturalKey({ ...haircut, service }));
    expect(composed).toBe(decomposed);
  });

  it('is of the customer, wherever that one asks', () => {
    const known = { ...haircut, customerId: 'cust_1' };
    expect(naturalKey({ ...known, sessionId: 'sess_1', conversationId: 'conv_1' })).toBe(naturalKey(known));
  });
});

describe('an appointment after a change', () => {
  const booked = { ...UNBOOKED, status: 'pending', updatedAt: 10, commandIds: ['booking'] } as const;

  it('was updated when that happened', () =>
    expect(evolveAppointment(booked, { type: 'AppointmentConfirmed', at: 20, projectId: 'prj_1', cause }).updatedAt).toBe(20));

  it('remembers a command once, however much it changed', () => {
    const gone = { type: 'AppointmentCancelled', at: 20, projectId: 'prj_1', cause, reason: null, cancelledBy: 'agent' } as const;
    const back = { type: 'AppointmentRecreated', at: 20, projectId: 'prj_1', cause, ...TIME } as const;
    expect([gone, back].reduce(evolveAppointment, booked).commandIds).toEqual(['booking', 'now']);
  });
});
