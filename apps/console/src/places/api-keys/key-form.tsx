import { useState } from 'preact/hooks';
import type { components } from '../../api/admin-api.js';
import { Field, valuesOf } from '../../parts/fields.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { useAction } from '../../state/use-action.js';
import { TEXTS } from '../../texts.js';
import { WORDS } from './texts.js';

type Scope = NonNullable<components['schemas']['CreateApiKeyDto']['scopes']>[number];

/** All that the API has: a missing one does not compile. */
const IS_SCOPE: Readonly<Record<Scope, true>> = {
  'conversations:read': true,
  'conversations:write': true,
  'customers:read': true,
  'customers:write': true,
  'sessions:read': true,
  'appointments:read': true,
  'events:read': true,
  'webhooks:read': true,
  'webhooks:write': true,
  agent: true,
};
const SCOPES = Object.keys(IS_SCOPE) as Scope[];

export interface KeyValues {
  readonly name: string;
  readonly scopes: Scope[];
  /** ISO 8601; null for never. */
  readonly expires_at: string | null;
}

interface KeyFormProps {
  readonly label: string;
  readonly values?: KeyValues;
  readonly onSubmit: (values: KeyValues) => Promise<void>;
}

/** Name, scopes and expiry of a key; a new one has all scopes. */
export function KeyForm({ label, values, onSubmit }: KeyFormProps) {
  const { run, isRunning, problem } = useAction();
  const [scopes, setScopes] = useState<Scope[]>(values?.scopes ?? [...SCOPES]);
  const pick = (scope: Scope, isPicked: boolean) =>
    setScopes(isPicked ? [...scopes, scope] : scopes.filter((each) => each !== scope));
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const { name = '', expires } = valuesOf(event.currentTarget as HTMLFormElement);
    run(() => onSubmit({ name, scopes, expires_at: expires === undefined ? null : new Date(expires).toISOString() }));
  };
  return (
    <form class="stack" onSubmit={submit}>
      <Field label={TEXTS.name} name="name" value={values?.name} required />
      <fieldset>
        <legend>{WORDS.scopes}</legend>
        <div class="tiles">
          {SCOPES.map((scope) => (
            <label key={scope} class="check">
              <input
                type="checkbox"
                checked={scopes.includes(scope)}
                onChange={({ currentTarget }) => pick(scope, currentTarget.checked)}
              />
              {scope}
            </label>
          ))}
        </div>
      </fieldset>
      <Field label={WORDS.expires} name="expires" type="datetime-local" value={localTime(values?.expires_at)} />
      <ProblemNote problem={problem} />
      <button type="submit" class="primary" disabled={isRunning}>
        {label}
      </button>
    </form>
  );
}

/** As a field for local times has it. */
function localTime(at: string | null | undefined): string {
  if (!at) return '';
  const date = new Date(at);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
