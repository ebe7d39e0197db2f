import type { ComponentChildren, InputHTMLAttributes } from 'preact';
import { TEXTS } from '../texts.js';

interface FieldProps {
  readonly label: string;
  readonly name: string;
  readonly value?: string | undefined;
  readonly type?: 'text' | 'password' | 'number' | 'datetime-local' | 'url';
  readonly hint?: string;
  readonly required?: boolean;
  readonly list?: readonly string[];
  readonly onInput?: (value: string) => void;
}

/** A labelled line of text. `list` are suggestions; other values are as good. */
export function Field({ label, name, value, type = 'text', hint, required = false, list, onInput }: FieldProps) {
  const suggestions = list ? `suggestions-${name}` : undefined;
  const attributes = {
    name,
    type,
    required,
    list: suggestions,
    defaultValue: value,
    autoComplete: 'off',
    onInput: onInput && (({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => onInput(currentTarget.value)),
  } as InputHTMLAttributes<HTMLInputElement>;
  return (
    <label class="field">
      <span>{label}</span>
      <input {...attributes} />
      {list && (
        <datalist id={suggestions}>
          {list.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
      {hint && <small class="muted">{hint}</small>}
    </label>
  );
}

interface LinesProps {
  readonly label: string;
  readonly name: string;
  readonly value?: string;
  readonly required?: boolean;
  readonly max?: number;
  readonly onInput: (value: string) => void;
}

/** A labelled text of several lines. */
export function Lines({ label, name, value, required = false, max, onInput }: LinesProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <textarea
        name={name}
        value={value}
        required={required}
        maxLength={max}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    </label>
  );
}

interface AreaProps {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  /** Of code the spelling is not checked. */
  readonly isCode?: boolean;
}

/** A labelled text of several lines, which its form reads. */
export function Area({ label, name, value, isCode = false }: AreaProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <textarea name={name} defaultValue={value} spellcheck={!isCode} />
    </label>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly name: string;
  readonly value?: string | undefined;
  readonly options: readonly (string | readonly [value: string, label: string])[];
  /** Offers none of them too. */
  readonly any?: boolean;
  readonly onChange?: (value: string) => void;
}

export function Choice({ label, name, value = '', options, any = false, onChange }: ChoiceProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <select name={name} value={value} onChange={onChange && (({ currentTarget }) => onChange(currentTarget.value))}>
        {any && <option value="">{TEXTS.list.any}</option>}
        {options.map((option) => {
          const [each, text] = typeof option === 'string' ? [option, option.replaceAll('_', ' ')] : option;
          return (
            <option key={each} value={each}>
              {text}
            </option>
          );
        })}
      </select>
    </label>
  );
}

/** What a form contains, without its empty fields. */
export function valuesOf(form: HTMLFormElement): Record<string, string> {
  const entries = [...new FormData(form)].filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '',
  );
  return Object.fromEntries(entries);
}

interface FormProps {
  readonly onSubmit: (values: Record<string, string>) => void;
  /** Gets the values whenever one of them changes. */
  readonly onInput?: (values: Record<string, string>) => void;
  readonly children: ComponentChildren;
  readonly class?: string;
  readonly role?: 'search';
}

export function Form({ onSubmit, onInput, children, class: className = 'stack', role }: FormProps) {
  return (
    <form
      class={className}
      role={role}
      onInput={onInput && (({ currentTarget }) => onInput(valuesOf(currentTarget)))}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(valuesOf(event.currentTarget));
      }}
    >
      {children}
    </form>
  );
}
