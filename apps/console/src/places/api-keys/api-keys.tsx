import { useState } from 'preact/hooks';
import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import { Dialog } from '../../parts/dialog.js';
import { List } from '../../parts/list.js';
import { Place } from '../../parts/place.js';
import { SecretNote } from '../../parts/secret-note.js';
import { Status } from '../../parts/status.js';
import { Foreign } from '../../parts/text-block.js';
import { Time } from '../../parts/time.js';
import { useProject } from '../../state/project.js';
import { PLACES, TEXTS } from '../../texts.js';
import { KeyActions } from './key-actions.js';
import { KeyForm, type KeyValues } from './key-form.js';
import { WORDS } from './texts.js';

export function ApiKeys() {
  const id = useProject();
  const [isAdding, setAdding] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const [round, setRound] = useState(0);
  const shown = (next: string | null) => {
    setSecret(next);
    setRound(round + 1);
  };
  const make = async (body: KeyValues) => {
    const key = await answerOf(api.POST('/admin/v1/projects/{id}/api_keys', { params: { path: { id } }, body }));
    setAdding(false);
    shown(key.secret);
  };
  const add = (
    <button class="primary" onClick={() => setAdding(true)}>
      {WORDS.add}
    </button>
  );
  return (
    <Place title={PLACES['api-keys']} about={WORDS.about} actions={add}>
      {secret !== null && <SecretNote label={WORDS.made} secret={secret} />}
      <List
        caption={PLACES['api-keys']}
        ask={(query) => answerOf(api.GET('/admin/v1/projects/{id}/api_keys', { params: { path: { id }, query } }))}
        keys={[id, round]}
        columns={[
          { label: TEXTS.name, cell: ({ name }) => <Foreign text={name} /> },
          { label: WORDS.columns.key, cell: ({ prefix }) => <code>{prefix}…</code> },
          { label: WORDS.columns.status, cell: ({ status }) => <Status status={status} /> },
          { label: WORDS.scopes, cell: ({ scopes }) => <span class="small">{scopes.join(', ')}</span> },
          { label: WORDS.columns.expires, cell: ({ expires_at: at }) => <Time at={at} /> },
          { label: WORDS.columns.used, cell: ({ last_used_at: at }) => <Time at={at} /> },
          { label: WORDS.columns.actions, cell: (key) => <KeyActions projectId={id} apiKey={key} onDone={shown} /> },
        ]}
        empty={
          <>
            <p>{WORDS.none}</p>
            {add}
          </>
        }
      />
      {isAdding && (
        <Dialog title={WORDS.add} onClose={() => setAdding(false)}>
          <KeyForm label={WORDS.add} onSubmit={make} />
        </Dialog>
      )}
    </Place>
  );
}
