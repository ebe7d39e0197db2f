import type { components } from '../../api/admin-api.js';
import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import { instantOf } from '../../parts/time-field.js';
import type { Appointment } from './appointment-columns.js';
import type { ChangeName } from './texts.js';

type Schemas = components['schemas'];
type Values = Readonly<Record<string, string>>;

/** The body of each change, which is refused where the appointment has changed since it was shown. */
export const CHANGE_BODIES = {
  confirm: (values: Values, version: number): Schemas['ConfirmAppointmentDto'] => ofAll(values, version),
  reschedule: (values: Values, version: number): Schemas['RescheduleAppointmentDto'] => ({
    ...ofAll(values, version),
    ...times(values),
    ...(values['mode'] && { mode: values['mode'] as 'cancel_and_recreate' }),
    ...(values['confirm'] && { confirm: true }),
  }),
  cancel: (values: Values, version: number): Schemas['CancelAppointmentDto'] => ({
    ...ofAll(values, version),
    ...(values['cancelled_by'] && { cancelled_by: values['cancelled_by'] as Canceller }),
  }),
  fail: (values: Values, version: number): Schemas['FailAppointmentDto'] => ({
    ...ofAll(values, version),
    code: values['code'] ?? '',
    message: values['message'] ?? '',
  }),
  rebook: (values: Values, version: number): Schemas['RebookAppointmentDto'] => ({
    ...ofAll(values, version),
    ...times(values),
  }),
} satisfies Record<ChangeName, unknown>;

type Canceller = NonNullable<Schemas['CancelAppointmentDto']['cancelled_by']>;

function ofAll({ reason }: Values, version: number) {
  return { expected_version: version, ...(reason && { reason }) };
}

function times({ starts_at: from = '', ends_at: to }: Values) {
  return { starts_at: instantOf(from), ...(to && { ends_at: instantOf(to) }) };
}

interface AppointmentPath {
  readonly project_id: string;
  readonly id: string;
}

export function changeAppointment(
  name: ChangeName,
  path: AppointmentPath,
  values: Values,
  version: number,
): Promise<Appointment> {
  const params = { path };
  switch (name) {
    case 'confirm': {
      const body = CHANGE_BODIES.confirm(values, version);
      return answerOf(api.POST('/admin/v1/projects/{project_id}/appointments/{id}/confirm', { params, body }));
    }
    case 'reschedule': {
      const body = CHANGE_BODIES.reschedule(values, version);
      return answerOf(api.POST('/admin/v1/projects/{project_id}/appointments/{id}/reschedule', { params, body }));
    }
    case 'cancel': {
      const body = CHANGE_BODIES.cancel(values, version);
      return answerOf(api.POST('/admin/v1/projects/{project_id}/appointments/{id}/cancel', { params, body }));
    }
    case 'fail': {
      const body = CHANGE_BODIES.fail(values, version);
      return answerOf(api.POST('/admin/v1/projects/{project_id}/appointments/{id}/fail', { params, body }));
    }
    case 'rebook': {
      const body = CHANGE_BODIES.rebook(values, version);
      return answerOf(api.POST('/admin/v1/projects/{project_id}/appointments/{id}/rebook', { params, body }));
    }
  }
}
