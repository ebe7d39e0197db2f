import { useState } from 'preact/hooks';
import type { components } from '../../api/admin-api.js';
import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import { Dialog } from '../../parts/dialog.js';
import { Field, Form } from '../../parts/fields.js';
import { FormButtons } from '../../parts/form-buttons.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { formatCount } from '../../parts/time.js';
import { useAction } from '../../state/use-action.js';
import { TEXTS } from '../../texts.js';
import { WORDS } from './texts.js';

type Backup = components['schemas']['BackupResource'];

const { backup: BACKUP } = WORDS;

/** Copies the data of all projects while the service runs. */
export function BackUp() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {BACKUP.label}
      </button>
      {isOpen && (
        <Dialog title={BACKUP.label} onClose={() => setOpen(false)}>
          <BackUpForm onClose={() => setOpen(false)} />
        </Dialog>
      )}
    </>
  );
}

function BackUpForm({ onClose }: { readonly onClose: () => void }) {
  const { run, isRunning, problem } = useAction();
  const [made, setMade] = useState<Backup | null>(null);
  const submit = ({ folder = '', with_key: key }: Record<string, string>) =>
    run(async () => {
      setMade(null);
      setMade(await answerOf(api.POST('/admin/v1/backup', { body: { folder, with_key: key !== undefined } })));
    });
  return (
    <>
      <p>{BACKUP.about}</p>
      <Form onSubmit={submit}>
        <Field label={BACKUP.folder} name="folder" hint={BACKUP.folderHint} required />
        <label class="check">
          <input type="checkbox" name="with_key" />
          {BACKUP.withKey}
        </label>
        <ProblemNote problem={problem} />
        <FormButtons label={BACKUP.label} leave={TEXTS.close} isRunning={isRunning} onLeave={onClose} />
      </Form>
      <p role="status">
        {isRunning && BACKUP.running}
        {made && `● ${BACKUP.made(made.folder, formatCount(made.bytes))}`}
      </p>
    </>
  );
}
