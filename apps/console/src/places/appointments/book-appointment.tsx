import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';
import type { components } from '../../api/admin-api.js';
import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import { Curl } from '../../parts/curl.js';
import { Dialog } from '../../parts/dialog.js';
import { Choice, Field, Form, valuesOf } from '../../parts/fields.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { Reach } from '../../parts/reach.js';
import { instantOf, TimeField } from '../../parts/time-field.js';
import { placeOf, useProject } from '../../state/project.js';
import { useAction } from '../../state/use-action.js';
import { WORDS } from './texts.js';

type Booking = components['schemas']['BookAppointmentDto'];

/** Books an appointment as an agent would. */
export function BookAppointment() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {WORDS.book}
      </button>
      {isOpen && (
        <Dialog title={WORDS.book} onClose={() => setOpen(false)}>
          <BookingForm />
        </Dialog>
      )}
    </>
  );
}

function BookingForm() {
  const project_id = useProject();
  const { route } = useLocation();
  const { run, isRunning, problem } = useAction();
  const [body, setBody] = useState<Partial<Booking>>({});
  const { labels } = WORDS;
  const book = (values: Record<string, string>) =>
    run(async () => {
      const call = api.POST('/admin/v1/projects/{project_id}/appointments', {
        params: { path: { project_id } },
        body: bookingOf(values),
      });
      route(placeOf(project_id, 'appointments', (await answerOf(call)).id));
    });
  return (
    <div
      class="stack"
      onInput={({ target }) => {
        const { form } = target as HTMLInputElement;
        if (form) setBody(bookingOf(valuesOf(form)));
      }}
    >
      <p>{WORDS.bookAbout}</p>
      <Reach />
      <Form onSubmit={book}>
        <Field label={labels.service} name="service" required />
        <div class="row end">
          <TimeField label={labels.starts} name="starts_at" />
          <Field label={labels.minutes} name="duration_minutes" type="number" />
        </div>
        <div class="row end">
          <Field label={labels.phone} name="phone" />
          <Field label={labels.resource} name="resource_id" />
          <Choice label={labels.status} name="status" options={['pending', 'confirmed']} value="pending" />
        </div>
        <ProblemNote problem={problem} />
        <button type="submit" class="primary" disabled={isRunning}>
          {WORDS.book}
        </button>
      </Form>
      <Curl request={{ method: 'POST', path: '/appointments', body }} />
    </div>
  );
}

function bookingOf({ service = '', starts_at: at = '', duration_minutes: minutes, ...values }: Record<string, string>): Booking {
  const { phone, resource_id, status } = values;
  return {
    service,
    starts_at: instantOf(at),
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    ...(minutes && { duration_minutes: Number(minutes) }),
    ...(phone && { customer: { phone } }),
    ...(resource_id && { resource_id }),
    ...(status && { status: status as NonNullable<Booking['status']> }),
  };
}
