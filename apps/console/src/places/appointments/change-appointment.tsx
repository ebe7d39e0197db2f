import { useState } from 'preact/hooks';
import { Curl } from '../../parts/curl.js';
import { Dialog } from '../../parts/dialog.js';
import { Form, valuesOf } from '../../parts/fields.js';
import { FormButtons } from '../../parts/form-buttons.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { Reach } from '../../parts/reach.js';
import { useProject } from '../../state/project.js';
import { useAction } from '../../state/use-action.js';
import { TEXTS } from '../../texts.js';
import type { Appointment } from './appointment-columns.js';
import { ChangeFields } from './change-fields.js';
import { CHANGE_BODIES, changeAppointment } from './change-bodies.js';
import { WORDS, type ChangeName } from './texts.js';

const LIVE = ['confirm', 'reschedule', 'cancel', 'fail'] as const;
const OVER = ['rebook'] as const;

/** The changes that a status allows. */
const CHANGES_OF: Readonly<Record<Appointment['status'], readonly ChangeName[]>> = {
  pending: LIVE,
  confirmed: ['reschedule', 'cancel', 'fail'],
  rescheduled: LIVE,
  cancelled: OVER,
  failed: OVER,
};

/** A button for each change of the appointment, which says what it does before it does it. */
export function ChangeAppointment({ of, onDone }: { readonly of: Appointment; readonly onDone: () => void }) {
  const [open, setOpen] = useState<ChangeName | null>(null);
  return (
    <>
      {CHANGES_OF[of.status].map((name) => (
        <button key={name} type="button" class={isDangerous(name) ? 'danger' : undefined} onClick={() => setOpen(name)}>
          {WORDS.changes[name].label}
        </button>
      ))}
      {open && (
        <Dialog title={WORDS.changes[open].title} onClose={() => setOpen(null)}>
          <ChangeForm
            name={open}
            of={of}
            onClose={() => setOpen(null)}
            onDone={() => {
              setOpen(null);
              onDone();
            }}
          />
        </Dialog>
      )}
    </>
  );
}

function isDangerous(name: ChangeName): boolean {
  return name === 'cancel' || name === 'fail';
}

interface ChangeFormProps {
  readonly name: ChangeName;
  readonly of: Appointment;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function ChangeForm({ name, of, onClose, onDone }: ChangeFormProps) {
  const project_id = useProject();
  const { run, isRunning, problem } = useAction();
  const bodyOf = (values: Record<string, string>): object => CHANGE_BODIES[name](values, of.version);
  const [body, setBody] = useState(bodyOf(firstValues(name, of)));
  const submit = (values: Record<string, string>) =>
    run(async () => {
      await changeAppointment(name, { project_id, id: of.id }, values, of.version);
      onDone();
    });
  return (
    <div
      class="stack"
      onInput={({ target }) => {
        const { form } = target as HTMLInputElement;
        if (form) setBody(bodyOf(valuesOf(form)));
      }}
    >
      <p>{WORDS.changes[name].about}</p>
      <Reach />
      <Form onSubmit={submit}>
        <ChangeFields name={name} of={of} />
        <ProblemNote problem={problem} />
        <FormButtons
          label={WORDS.changes[name].label}
          leave={TEXTS.close}
          isRunning={isRunning}
          isDangerous={isDangerous(name)}
          onLeave={onClose}
        />
      </Form>
      <Curl request={{ method: 'POST', path: `/appointments/${of.id}/${name}`, body }} />
    </div>
  );
}

/** What the form has before anything is typed. */
function firstValues(name: ChangeName, { starts_at: at }: Appointment): Record<string, string> {
  if (name === 'cancel') return { cancelled_by: 'business' };
  return name === 'reschedule' || name === 'rebook' ? { starts_at: at } : {};
}
