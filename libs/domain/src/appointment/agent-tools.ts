import { MAX_TEXT_LENGTH } from '../kernel/text-bounds.js';
import { MAX_CODE_LENGTH, MAX_MESSAGE_LENGTH, MAX_MINUTES } from './limits.js';

interface AppointmentTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

const text = (description: string, maxLength = MAX_TEXT_LENGTH) => ({ type: 'string', minLength: 1, maxLength, description });

/** No `format`: it would ask for an offset, and a model that guesses one names the wrong hour. */
const startsAt = {
  type: 'string',
  description: 'Start, ISO 8601, e.g. 2026-03-01T09:00:00; without an offset it is read in the time zone of the conversation',
};
const startToCome = { ...startsAt, description: `${startsAt.description}; in the future` };

const appointmentId = text('The id that find_appointments or book_appointment gave');

function takes(properties: Readonly<Record<string, unknown>>, required: readonly string[] = []) {
  return { type: 'object', properties, required, additionalProperties: false };
}

export const FIND_APPOINTMENTS: AppointmentTool = {
  name: 'find_appointments',
  description: "The customer's upcoming and latest appointments, or without a known customer those booked in this conversation.",
  parameters: takes({}),
};

export const BOOK_APPOINTMENT: AppointmentTool = {
  name: 'book_appointment',
  description: 'Books an appointment for the customer of this conversation. It is pending until confirmed.',
  parameters: takes(
    {
      service: text('What the appointment is for'),
      starts_at: startToCome,
      duration_minutes: { type: 'integer', minimum: 1, maximum: MAX_MINUTES, description: '30 when omitted' },
      confirm: { type: 'boolean', description: 'true to confirm it at once' },
    },
    ['service', 'starts_at'],
  ),
};

export const CONFIRM_APPOINTMENT: AppointmentTool = {
  name: 'confirm_appointment',
  description: 'Confirms a pending or moved appointment.',
  parameters: takes({ appointment_id: appointmentId }, ['appointment_id']),
};

export const RESCHEDULE_APPOINTMENT: AppointmentTool = {
  name: 'reschedule_appointment',
  description: 'Moves an appointment to another start; its length stays.',
  parameters: takes({ appointment_id: appointmentId, starts_at: startToCome }, ['appointment_id', 'starts_at']),
};

export const CANCEL_APPOINTMENT: AppointmentTool = {
  name: 'cancel_appointment',
  description: 'Cancels an appointment.',
  parameters: takes({ appointment_id: appointmentId, reason: text('Why') }, ['appointment_id']),
};

export const REPORT_FAILED_ATTEMPT: AppointmentTool = {
  name: 'report_failed_attempt',
  description:
    'Records that an appointment could not be made or kept: with appointment_id for one that exists, else with service and starts_at.',
  parameters: takes(
    {
      appointment_id: appointmentId,
      service: text('What the appointment was for'),
      starts_at: startsAt,
      code: text('A short machine-readable cause, e.g. calendar_unavailable', MAX_CODE_LENGTH),
      message: text('The cause in words', MAX_MESSAGE_LENGTH),
    },
    ['code', 'message'],
  ),
};

export const APPOINTMENT_TOOLS: readonly AppointmentTool[] = [
  FIND_APPOINTMENTS,
  BOOK_APPOINTMENT,
  CONFIRM_APPOINTMENT,
  RESCHEDULE_APPOINTMENT,
  CANCEL_APPOINTMENT,
  REPORT_FAILED_ATTEMPT,
];
