import { useState } from 'preact/hooks';
import type { components } from '../../api/admin-api.js';
import { changedMembers } from '../../parts/changed-members.js';
import { Curl, type ShownRequest } from '../../parts/curl.js';
import { Field, Form, valuesOf } from '../../parts/fields.js';
import { MetadataField } from '../../parts/metadata-field.js';
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
  const bodyOf = (values: Record<string, string>): CustomerValues => changedMembers(values, customer ?? {}, TEXT_MEMBERS);
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
        <MetadataField of={customer ?? {}} />
        <ProblemNote problem={problem} />
        <button type="submit" class="primary" disabled={isRunning}>
          {label}
        </button>
      </Form>
      <Curl request={{ ...request, body }} />
    </div>
  );
}
