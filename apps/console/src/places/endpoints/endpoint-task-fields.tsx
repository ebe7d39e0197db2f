import { useState } from 'preact/hooks';
import { Choice, Field } from '../../parts/fields.js';
import { TimeField } from '../../parts/time-field.js';
import type { TaskKind } from './begin-endpoint-task.js';
import { EVENT_TYPES, wordsOf } from './event-filters.js';
import { WORDS } from './texts.js';

interface EndpointTaskFieldsProps {
  readonly kind: TaskKind;
  readonly values: Readonly<Record<string, string>>;
}

export function EndpointTaskFields({ kind, values }: EndpointTaskFieldsProps) {
  return (
    <>
      <div class="row end">
        <TimeField label={WORDS.since} name="since" value={values['since']} />
        <TimeField label={WORDS.until} name="until" value={values['until']} />
      </div>
      {kind === 'replay_missing' && (
        <Field label={WORDS.types} name="event_types" value={values['event_types']} list={['appointment.*', ...EVENT_TYPES]} />
      )}
      {kind === 'reconcile' ? (
        <Received value={values['received']} />
      ) : (
        <Choice label={WORDS.mode} name="mode" value={values['mode'] ?? 'all'} options={WORDS.modes} />
      )}
      <Field label={WORDS.pace} name="per_second" type="number" value={values['per_second']} />
    </>
  );
}

/** The pasted ids, counted while they are. */
function Received({ value = '' }: { readonly value?: string | undefined }) {
  const [text, setText] = useState(value);
  return (
    <label class="field">
      <span>{WORDS.received}</span>
      <textarea name="received" rows={8} defaultValue={value} onInput={({ currentTarget }) => setText(currentTarget.value)} />
      <small class="muted">{WORDS.receivedCount(wordsOf(text).length)}</small>
    </label>
  );
}
