import { attemptFailed, booked, cause, confirmed, happened, later } from '@testing/appointment-events';
import { UNBOOKED } from './appointment.js';
import type { AppointmentEvent } from './appointment.events.js';
import { isChangeId } from './change-id.js';
import { evolveAppointment } from './evolve-appointment.js';
import { CHANGE_TYPES, pastChangeOf } from './past-change.js';

const APPOINTMENT = 'apt_01J9Z3K8Q4T6V8X0A2C4E6G8J0';
const first = { ...booked, appointmentId: APPOINTMENT } as AppointmentEvent;
const pending = evolveAppointment(UNBOOKED, first);
const amended: AppointmentEvent = { ...happened, type: 'AppointmentAmended', changes: { notes: 'Brings a friend.' } };

describe('a change that was made to an appointment', () => {
  it('is named for the version that it made', () => {
    expect(pastChangeOf(UNBOOKED, first, 0)?.id).toBe(`${APPOINTMENT}.1`);
    expect(pastChangeOf(pending, confirmed, 1)?.id).toBe(`${APPOINTMENT}.2`);
  });

  it('is of the kind of its event, and says why in its words', () => {
    const recreated: AppointmentEvent = { ...happened, type: 'AppointmentRecreated', ...later };
    const told = [attemptFailed, confirmed, recreated].map((event) => pastChangeOf(pending, event, 1));
    expect(told.map((change) => [change?.type, change?.reason])).toEqual([
      ['failed', 'failed'],
      ['confirmed', 'confirmed'],
      ['created', 'rescheduling'],
    ]);
    expect(told.every((change) => change?.eventId?.startsWith('evt_'))).toBe(true);
  });

  it('tells the reason that the request gave, and who made it', () => {
    const actor = { type: 'client', sessionId: null } as const;
    const change = pastChangeOf(pending, { ...confirmed, cause: { ...cause, reason: 'as_agreed', actor } }, 1);
    expect([change?.reason, change?.actor]).toEqual(['as_agreed', actor]);
  });

  it('is an amendment without an event where it emitted none', () => {
    expect(pastChangeOf(pending, amended, 1)).toMatchObject({ type: 'amended', reason: 'amended', eventId: null });
  });

  it('is not told of an event that this version does not know', () => {
    expect(pastChangeOf(pending, { ...happened, type: 'AppointmentPainted' } as never, 1)).toBeNull();
  });

  it('is one of six kinds', () => {
    expect(CHANGE_TYPES).toEqual(['created', 'confirmed', 'rescheduled', 'cancelled', 'failed', 'amended']);
  });
});

describe('the id of a change', () => {
  it.each([
    [`${APPOINTMENT}.1`, true],
    [`${APPOINTMENT}.4711`, true],
    [APPOINTMENT, false],
    [`${APPOINTMENT}.`, false],
    [`${APPOINTMENT}.0`, false],
    [`${APPOINTMENT}.01`, false],
    [`${APPOINTMENT}.1.1`, false],
    ['evt_01J9Z3K8Q4T6V8X0A2C4E6G8J0.1', false],
    [undefined, false],
  ])('may be %s: %s', (id, isOne) => expect(isChangeId(id)).toBe(isOne));
});
