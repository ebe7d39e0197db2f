import type { ComponentChildren } from 'preact';
import { useView } from '../state/use-view.js';
import { TEXTS } from '../texts.js';
import { Form } from './fields.js';

interface FiltersProps {
  /** Names of the parameters that the fields set. */
  readonly names: readonly string[];
  /** Gets the values that the address has. */
  readonly children: (values: Readonly<Record<string, string>>) => ComponentChildren;
}

/** Filters of a list: the address has them, and a change begins at the first page again. */
export function Filters({ names, children }: FiltersProps) {
  const { query, show } = useView();
  const none = Object.fromEntries(names.map((name) => [name, undefined]));
  const isAny = names.some((name) => query[name]);
  const firstPage = { after: undefined, before: undefined };
  return (
    <details open={isAny}>
      <summary>{TEXTS.list.filters}</summary>
      <Form key={JSON.stringify(query)} class="row end" onSubmit={(values) => show({ ...none, ...firstPage, ...values })}>
        {children(query)}
        <button type="submit">{TEXTS.list.apply}</button>
        {isAny && (
          <button type="button" class="plain" onClick={() => show({ ...none, ...firstPage })}>
            {TEXTS.list.clear}
          </button>
        )}
      </Form>
    </details>
  );
}
