import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import { OnePage } from '../../parts/one-page.js';
import { AmendAppointment } from './amend-appointment.js';
import { AppointmentFacts } from './appointment-facts.js';
import { AppointmentLife } from './appointment-life.js';
import { ChangeAppointment } from './change-appointment.js';
import { WORDS } from './texts.js';

/** One appointment: how it is, how it came to be so, and what can be done. */
export function AppointmentPage() {
  return (
    <OnePage
      title={WORDS.one}
      ask={(path) => answerOf(api.GET('/admin/v1/projects/{project_id}/appointments/{id}', { params: { path } }))}
      live="appointment"
      actions={(appointment, onDone) => (
        <>
          <ChangeAppointment of={appointment} onDone={onDone} />
          <AmendAppointment of={appointment} onDone={onDone} />
        </>
      )}
    >
      {(appointment) => (
        <>
          <AppointmentFacts of={appointment} />
          <AppointmentLife id={appointment.id} />
        </>
      )}
    </OnePage>
  );
}
