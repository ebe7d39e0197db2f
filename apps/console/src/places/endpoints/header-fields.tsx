import { useRef } from 'preact/hooks';
import { Field } from '../../parts/fields.js';
import { WORDS } from './texts.js';

export interface HeaderRow {
  readonly key: number;
  readonly name: string;
  readonly value: string;
}

interface HeaderFieldsProps {
  readonly rows: readonly HeaderRow[];
  readonly onChange: (rows: readonly HeaderRow[]) => void;
}

/** Custom headers by name and value. */
export function HeaderFields({ rows, onChange }: HeaderFieldsProps) {
  const next = useRef(rows.length);
  const change = (key: number, part: Partial<HeaderRow>) =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...part } : row)));
  return (
    <fieldset class="stack tight">
      <legend>{WORDS.form.headers}</legend>
      {rows.map(({ key, name, value }) => (
        <div key={key} class="row end">
          <Field
            label={WORDS.form.headerName}
            name={`name-${key}`}
            value={name}
            onInput={(text) => change(key, { name: text })}
          />
          <Field
            label={WORDS.form.headerValue}
            name={`value-${key}`}
            value={value}
            onInput={(text) => change(key, { value: text })}
          />
          <button type="button" onClick={() => onChange(rows.filter((row) => row.key !== key))}>
            {WORDS.form.remove}
          </button>
        </div>
      ))}
      <div class="row">
        <button type="button" onClick={() => onChange([...rows, { key: next.current++, name: '', value: '' }])}>
          {WORDS.form.addHeader}
        </button>
        <small class="muted">{WORDS.form.headersAbout}</small>
      </div>
    </fieldset>
  );
}

export function rowsOf(headers: Readonly<Record<string, string>>): readonly HeaderRow[] {
  return Object.entries(headers).map(([name, value], key) => ({ key, name, value }));
}

/** Rows without a name are left out. */
export function headersOf(rows: readonly HeaderRow[]): Record<string, string> {
  return Object.fromEntries(rows.flatMap(({ name, value }) => (name === '' ? [] : [[name, value]])));
}
