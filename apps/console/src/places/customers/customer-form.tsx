import { useState } from 'preact/hooks';
import type { components } from '../../api/admin-api.js';
import { jsonOf } from '../../api/json-of.js';
import { Curl, type ShownRequest } from '../../parts/curl.js';
import { Field, Form, valuesOf } from '../../parts/fields.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { useAction } from '../../state/use-action.js';
import type { Customer } from './customer-columns.js';
import { WORDS } from './texts.js';

export type CustomerValues = components['schemas']['CustomerDto'];

const TEXT_MEMBERS = ['name', 'phone', 'email', 'external_id'] as const;
const LABELS = {
  name: WORDS.labels.name,
  phone: WORDS.labels.phone,
  email: WORDS.labels.email,
  external_id: WORDS.labels.externalId,
};

interface CustomerFormProps {
  readonly label: string;
  readonly customer?: Customer;
  /** Where the values go to, for the shown command. */
  readonly request: ShownRequest;
  /** Gets the members that differ from those of the customer; null empties one. */
  readonly onSubmit: (values: CustomerValues) => Promise<void>;
}

export function CustomerForm({ label, customer, request, onSubmit }: CustomerFormProps) {
  const { run, isRunning, problem } = useAction();
  const [body, setBody] = useState<CustomerValues>({});
  const metadata = JSON.stringify(customer?.metadata ?? {}, null, 2);
  const bodyOf = (values: Record<string, string>) => changedMembers(values, customer, metadata);
  return (
    <div
      class="stack"
      onInput={({ target }) => {
        const { form } = target as HTMLInputElement;
        if (form) setBody(bodyOf(valuesOf(form)));
      }}
    >
      <Form onSubmit={(values) => run(() => onSubmit(bodyOf(values)))}>
        {TEXT_MEMBERS.map((name) => (
          <Field key={name} label={LABELS[name]} name={name} value={customer?.[name] ?? ''} />
        ))}
        <label class="field">
          <span>{WORDS.labels.metadata}</span>
          <textarea name="metadata" defaultValue={metadata} spellcheck={false} />
        </label>
        <ProblemNote problem={problem} />
        <button type="submit" class="primary" disabled={isRunning}>
          {label}
        </button>
      </Form>
      <Curl request={{ ...request, body }} />
    </div>
  );
}

function changedMembers(values: Record<string, string>, customer: Customer | undefined, metadata: string): CustomerValues {
  const texts = TEXT_MEMBERS.flatMap((name) => {
    const value = values[name] ?? null;
    return value === (customer?.[name] ?? null) ? [] : [[name, value]];
  });
  const isSame = (values['metadata'] ?? '{}') === metadata;
  return { ...Object.fromEntries(texts), ...(!isSame && { metadata: jsonOf(values['metadata'] ?? '{}') }) };
}
