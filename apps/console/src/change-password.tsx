import { useState } from 'preact/hooks';
import { api } from './api/api.js';
import { answerOf } from './api/problem.js';
import { Dialog } from './parts/dialog.js';
import { Field, Form } from './parts/fields.js';
import { FormButtons } from './parts/form-buttons.js';
import { ProblemNote } from './parts/problem-note.js';
import { useAction } from './state/use-action.js';
import { TEXTS } from './texts.js';

const { password: WORDS } = TEXTS;

/** Changes the admin password, and says first what that ends. */
export function ChangePassword() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" class="plain" onClick={() => setOpen(true)}>
        {WORDS.change}
      </button>
      {isOpen && (
        <Dialog title={WORDS.change} onClose={() => setOpen(false)}>
          <PasswordChange onClose={() => setOpen(false)} />
        </Dialog>
      )}
    </>
  );
}

function PasswordChange({ onClose }: { readonly onClose: () => void }) {
  const { run, isRunning, problem } = useAction();
  const [isChanged, setChanged] = useState(false);
  const submit = ({ current_password = '', new_password = '' }: Record<string, string>) =>
    run(async () => {
      await answerOf(api.POST('/admin/v1/password', { body: { current_password, new_password } }));
      setChanged(true);
    });
  return (
    <>
      {!isChanged && (
        <Form onSubmit={submit}>
          <p>{WORDS.about}</p>
          <Field label={WORDS.current} name="current_password" type="password" required />
          <Field label={WORDS.next} name="new_password" type="password" hint={WORDS.least} required />
          <ProblemNote problem={problem} />
          <FormButtons label={WORDS.change} leave={TEXTS.cancel} isRunning={isRunning} onLeave={onClose} />
        </Form>
      )}
      <p role="status">{isChanged && `● ${WORDS.changed}`}</p>
      {isChanged && (
        <div class="row">
          <button type="button" onClick={onClose}>
            {TEXTS.close}
          </button>
        </div>
      )}
    </>
  );
}
