import { useState } from 'preact/hooks';
import { Dialog } from './parts/dialog.js';
import { Field, Form } from './parts/fields.js';
import { ProblemNote } from './parts/problem-note.js';
import { signIn } from './state/session.js';
import { useAction } from './state/use-action.js';
import { TEXTS } from './texts.js';

const { signIn: WORDS } = TEXTS;

export function SignIn() {
  return (
    <main class="sign-in stack">
      <h1>{WORDS.heading}</h1>
      <p class="muted">{WORDS.about}</p>
      <PasswordForm />
    </main>
  );
}

/** Over the page that is open: what was asked for goes on afterwards. */
export function SignInAgain() {
  return (
    <Dialog title={WORDS.ended} onClose={() => location.reload()}>
      <p>{WORDS.endedAbout}</p>
      <PasswordForm />
    </Dialog>
  );
}

function PasswordForm() {
  const { run, isRunning, problem } = useAction();
  const [isKept, setKept] = useState(true);
  const submit = ({ password = '' }: Record<string, string>) => run(async () => setKept(await signIn(password)));
  return (
    <Form onSubmit={submit}>
      <Field label={WORDS.password} name="password" type="password" required />
      <div class="row">
        <button type="submit" class="primary" disabled={isRunning}>
          {WORDS.button}
        </button>
      </div>
      <ProblemNote problem={problem} />
      {!isKept && (
        <p class="card warning" role="alert">
          {WORDS.noCookie}
        </p>
      )}
    </Form>
  );
}
