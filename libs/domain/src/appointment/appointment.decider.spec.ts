import fc from 'fast-check';
import {
  NINE,
  HALF_HOUR,
  cause,
  details,
  happened,
  booked,
  attemptFailed,
  confirmed,
  later,
  rescheduled,
  cancelled,
  failed,
} from '@testing/appointment-events';
import { specFor } from '@testing/decider-spec';
import { fold } from '../kernel/decider.js';
import { DomainError } from '../kernel/domain-error.js';
import { isLive, type Appointment } from './appointment.js';
import type { AppointmentCommand } from './appointment.commands.js';
import { appointmentDecider } from './appointment.decider.js';
import type { AppointmentEvent } from './appointment.events.js';

const YEAR_10000 = Date.parse('9999-12-31T23:59:59.999Z') + 1;

const requested = { at: 10, cause };
const change = { ...requested, expectedVersion: null };
const book = (asConfirmed = false): AppointmentCommand => ({
  ...requested,
  type: 'BookAppointment',
  details,
  confirmed: asConfirmed,
});
const confirm: AppointmentCommand = { ...change, type: 'ConfirmAppointment' };
const reschedule = {
  ...change,
  type: 'RescheduleAppointment',
  startsAt: later.startsAt,
  endsAt: null,
  mode: 'in_place',
  confirm: false,
} as const;
const recreate = { ...reschedule, mode: 'cancel_and_recreate' } as const;
const cancel: AppointmentCommand = { ...change, type: 'CancelAppointment', reason: null, cancelledBy: 'customer' };
const fail: AppointmentCommand = { ...change, type: 'FailAppointment', code: 'closed', message: 'Closed.' };
const rebook = { ...change, type: 'RebookAppointment', startsAt: later.startsAt, endsAt: null } as const;
const amend = (changes: object): AppointmentCommand => ({ ...change, type: 'AmendAppointment', changes });

const spec = specFor(appointmentDecider);
const given = (...past: readonly AppointmentEvent[]) =>
  spec.given(...past.map((event, index) => ({ ...event, cause: { ...event.cause, commandId: `earlier ${index}` } })));

describe('booking an appointment', () => {
  it('makes it pending', () => {
    given().when(book()).then(booked);
    given(booked).thenState({ status: 'pending', version: 1, id: 'apt_1', confirmedAt: null, createdAt: 10 });
  });
  it('makes it confirmed in two steps when asked so', () => {
    given().when(book(true)).then(booked, confirmed);
    given(booked, confirmed).thenState({ status: 'confirmed', version: 2, confirmedAt: 10 });
  });
  it('keeps an attempt that failed', () => {
    const command = { ...requested, type: 'RecordFailedBooking', details, code: 'full', message: 'No slot.' } as const;
    given().when(command).then(attemptFailed);
    given(attemptFailed).thenState({ status: 'failed', version: 1, failure: { code: 'full', message: 'No slot.', at: 10 } });
    given(attemptFailed).when(command).thenNothing();
    given()
      .when({ ...command, details: { ...details, endsAt: NINE } })
      .thenRejects('time_range_invalid', { param: 'ends_at' });
  });
  it('happens once', () => given(booked).when(book()).thenNothing());
  it('is refused when it ends before it starts', () =>
    given()
      .when({ ...requested, type: 'BookAppointment', confirmed: false, details: { ...details, endsAt: NINE } })
      .thenRejects('time_range_invalid', { param: 'ends_at' }));
});

describe('an appointment', () => {
  it.each([
    ['pending', [booked]],
    ['rescheduled', [booked, rescheduled]],
  ])('is confirmed when %s', (_status, past) =>
    given(...past)
      .when(confirm)
      .then(confirmed),
  );

  it.each([
    ['pending', [booked]],
    ['confirmed', [booked, confirmed]],
    ['rescheduled', [booked, { ...rescheduled, startsAt: 1, endsAt: 1 + HALF_HOUR } as AppointmentEvent]],
  ])('is moved, cancelled and failed when %s', (_status, past) => {
    given(...past)
      .when(reschedule)
      .then(rescheduled);
    given(...past)
      .when(cancel)
      .then(cancelled);
    given(...past)
      .when(fail)
      .then(failed);
  });

  it('loses its confirmation and keeps its earlier time when moved', () =>
    given(booked, confirmed, rescheduled).thenState({
      status: 'rescheduled',
      confirmedAt: null,
      version: 3,
      startsAt: later.startsAt,
      reschedule: { count: 1, previousStartsAt: NINE, previousEndsAt: NINE + HALF_HOUR, at: 10 },
    }));

  it('counts how often it was moved, one way or the other, and names the time before the last move', () => {
    const cancelledFor: AppointmentEvent = { ...cancelled, cause: { ...cause, reason: 'rescheduling' } };
    const again: AppointmentEvent = { ...happened, type: 'AppointmentRecreated', startsAt: NINE, endsAt: NINE + HALF_HOUR };
    const { startsAt: previousStartsAt, endsAt: previousEndsAt } = later;
    given(booked, rescheduled, cancelledFor, again).thenState({
      startsAt: NINE,
      reschedule: { count: 2, previousStartsAt, previousEndsAt, at: 10 },
    });
  });

  it('is moved and confirmed in one step', () => {
    given(booked, confirmed)
      .when({ ...reschedule, confirm: true })
      .then(rescheduled, confirmed);
    given(booked, rescheduled)
      .when({ ...reschedule, confirm: true })
      .then(confirmed);
    given(booked, rescheduled, confirmed)
      .when({ ...reschedule, confirm: true })
      .thenNothing();
  });

  it('is moved when only its end is another', () =>
    given(booked)
      .when({ ...reschedule, startsAt: NINE, endsAt: later.endsAt })
      .then({ ...rescheduled, startsAt: NINE } as AppointmentEvent));

  it('is moved by cancelling and recreating it under the same id', () => {
    const rescheduling = { ...cause, reason: 'rescheduling' };
    const gone: AppointmentEvent = { ...cancelled, cause: rescheduling, cancelledBy: 'agent' } as AppointmentEvent;
    const back: AppointmentEvent = { ...happened, cause: rescheduling, type: 'AppointmentRecreated', ...later };
    given(booked).when(recreate).then(gone, back);
    given(booked, gone, back).thenState({
      status: 'pending',
      version: 3,
      cancellation: null,
      reschedule: expect.objectContaining({ count: 1 }),
    });
    given(booked, gone, back).when(recreate).thenNothing();
    given(booked)
      .when({ ...recreate, confirm: true })
      .then(gone, back, confirmed);
  });

  it('counts as cancelled by the business when somebody else than an agent moves it in that way', () => {
    const byClient = { ...cause, actor: { type: 'client', sessionId: null } } as const;
    const rescheduling = { ...byClient, reason: 'rescheduling' };
    const gone = { ...cancelled, cause: rescheduling, cancelledBy: 'business' } as AppointmentEvent;
    const back: AppointmentEvent = { ...happened, cause: rescheduling, type: 'AppointmentRecreated', ...later };
    given(booked)
      .when({ ...recreate, cause: byClient })
      .then(gone, back);
  });

  it('is booked again after it was cancelled or had failed', () => {
    const again: AppointmentEvent = { ...happened, type: 'AppointmentRebooked', ...later };
    given(booked, confirmed, cancelled).when(rebook).then(again);
    given(attemptFailed).when(rebook).then(again);
    given(booked, confirmed, cancelled, again).thenState({ status: 'pending', cancellation: null, confirmedAt: null });
    given(attemptFailed, again).thenState({ status: 'pending', failure: null });
  });

  it('is not changed by repeats', () => {
    given(booked, confirmed).when(confirm).thenNothing();
    given(booked, rescheduled).when(reschedule).thenNothing();
    given(booked, cancelled).when(cancel).thenNothing();
    given(booked, failed).when(fail).thenNothing();
  });

  it('says what it can become when it cannot become what is asked', () => {
    const extras = { current_status: 'cancelled', allowed_transitions: ['pending'] };
    for (const command of [confirm, reschedule, recreate, fail]) {
      given(booked, cancelled).when(command).thenRejects('appointment_invalid_transition', { extras });
    }
    for (const command of [confirm, reschedule, cancel])
      given(booked, failed).when(command).thenRejects('appointment_invalid_transition');
    given(booked)
      .when(rebook)
      .thenRejects('appointment_invalid_transition', {
        extras: { current_status: 'pending', allowed_transitions: ['confirmed', 'rescheduled', 'cancelled', 'failed'] },
      });
  });

  it('cannot be moved to end before it starts', () =>
    given(booked)
      .when({ ...reschedule, endsAt: later.startsAt })
      .thenRejects('time_range_invalid', { param: 'ends_at' }));

  it('cannot be moved so near to year 10000 that it would end there', () => {
    const startsAt = YEAR_10000 - HALF_HOUR;
    given(booked)
      .when({ ...reschedule, startsAt, endsAt: null })
      .thenRejects('time_range_invalid', { param: 'ends_at' });
    given(booked, cancelled)
      .when({ ...rebook, startsAt, endsAt: null })
      .thenRejects('time_range_invalid', { param: 'ends_at' });
  });

  it('takes notes, place and metadata at any time, and knows when nothing changed', () => {
    const amended: AppointmentEvent = { ...happened, type: 'AppointmentAmended', changes: { notes: 'window seat' } };
    given(booked, cancelled)
      .when(amend({ notes: 'window seat', location: null }))
      .then(amended);
    given(booked, amended).thenState({ notes: 'window seat', version: 2, status: 'pending' });
    given(booked, amended)
      .when(amend({ notes: 'window seat' }))
      .thenNothing();
    given(booked).when(amend({})).thenNothing();
  });

  it('obeys only those who know its version', () => {
    given(booked)
      .when({ ...confirm, expectedVersion: 1 })
      .then(confirmed);
    given(booked, confirmed)
      .when({ ...confirm, expectedVersion: 1 })
      .thenRejects('version_conflict', { extras: { current_version: 2 } });
  });

  it('is missing until it is booked', () => {
    for (const command of [confirm, reschedule, cancel, fail, rebook, amend({})]) {
      given().when(command).thenRejects('resource_missing', { param: 'id' });
    }
  });

  it('takes a command once, whatever happened since', () => {
    spec.given(booked, cancelled).when(rebook).thenNothing();
    spec
      .given({ ...booked, cause: { ...cause, commandId: 'earlier' } }, confirmed, {
        ...cancelled,
        cause: { ...cause, commandId: 'later' },
      })
      .when({ ...confirm, expectedVersion: 1 })
      .thenNothing();
  });

  it('never goes back in time', () =>
    given({ ...booked, at: 99 })
      .when(confirm)
      .then({ ...confirmed, at: 99 }));

  it('counts one version for every stored change, whatever is asked', () => {
    const asked = fc.constantFrom<AppointmentCommand>(
      book(),
      book(true),
      confirm,
      reschedule,
      { ...reschedule, startsAt: NINE, confirm: true },
      recreate,
      { ...recreate, startsAt: NINE },
      cancel,
      fail,
      rebook,
      amend({ notes: 'x' }),
      amend({ notes: null }),
    );
    fc.assert(
      fc.property(fc.array(asked, { maxLength: 30 }), (commands) => {
        const stored: AppointmentEvent[] = [];
        commands.forEach((command, index) => {
          const named = { ...command, cause: { ...cause, commandId: `command ${index}` } };
          stored.push(...accepted(named, fold(appointmentDecider, stored)));
        });
        const state = fold(appointmentDecider, stored);
        expect(state.version).toBe(stored.length);
        expect(isLive(state)).toBe(state.status !== 'unbooked' && state.cancellation === null && state.failure === null);
      }),
    );
  });
});

function accepted(command: AppointmentCommand, state: Appointment): readonly AppointmentEvent[] {
  try {
    return appointmentDecider.decide(command, state);
  } catch (error) {
    if (error instanceof DomainError) return [];
    throw error;
  }
}
