import { useState } from 'preact/hooks';
import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import { AskBefore } from '../../parts/ask-before.js';
import { Dialog } from '../../parts/dialog.js';
import { Choice } from '../../parts/fields.js';
import { GRACES } from '../../texts.js';
import { KeyForm, type KeyValues } from './key-form.js';
import { WORDS } from './texts.js';

interface KeyActionsProps {
  readonly projectId: string;
  readonly apiKey: KeyValues & { readonly id: string; readonly status: string };
  /** Gets the secret of a key that was made instead; null where none was. */
  readonly onDone: (secret: string | null) => void;
}

export function KeyActions({ projectId, apiKey, onDone }: KeyActionsProps) {
  const [isEditing, setEditing] = useState(false);
  const [grace, setGrace] = useState('86400');
  if (apiKey.status !== 'active') return null;
  const of = { params: { path: { id: projectId, key_id: apiKey.id } } };
  const rotate = async () => {
    const body = { grace_period_seconds: Number(grace) };
    const { secret } = await answerOf(api.POST('/admin/v1/projects/{id}/api_keys/{key_id}/rotate', { ...of, body }));
    onDone(secret);
  };
  const revoke = async () => {
    await answerOf(api.DELETE('/admin/v1/projects/{id}/api_keys/{key_id}', of));
    onDone(null);
  };
  const save = async (values: KeyValues) => {
    await answerOf(api.PATCH('/admin/v1/projects/{id}/api_keys/{key_id}', { ...of, body: values }));
    setEditing(false);
    onDone(null);
  };
  return (
    <div class="row">
      <button type="button" onClick={() => setEditing(true)}>
        {WORDS.edit}
      </button>
      <AskBefore label={WORDS.rotate} title={`${WORDS.rotate}: ${apiKey.name}`} onConfirm={rotate}>
        <Choice label={WORDS.rotateAbout} name="grace" value={grace} options={GRACES} onChange={setGrace} />
      </AskBefore>
      <AskBefore label={WORDS.revoke} title={`${WORDS.revoke}: ${apiKey.name}`} onConfirm={revoke} isDangerous>
        <p>{WORDS.revokeAbout}</p>
      </AskBefore>
      {isEditing && (
        <Dialog title={`${WORDS.edit}: ${apiKey.name}`} onClose={() => setEditing(false)}>
          <KeyForm label={WORDS.save} values={apiKey} onSubmit={save} />
        </Dialog>
      )}
    </div>
  );
}
