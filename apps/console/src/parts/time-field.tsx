interface TimeFieldProps {
  readonly label: string;
  readonly name: string;
  /** ISO 8601, or what the field itself has put into the address. */
  readonly value?: string | undefined;
}

/** A time in the viewer's zone. Its form value is read by `instantOf`. */
export function TimeField({ label, name, value }: TimeFieldProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <input type="datetime-local" step="any" name={name} defaultValue={localOf(value)} />
    </label>
  );
}

/** ISO 8601 in UTC; a text that is no time stays as it is, for the API to refuse. */
export function instantOf(value: string): string {
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? value : date.toISOString();
}

function localOf(value: string | undefined): string | undefined {
  const date = new Date(value ?? '');
  if (Number.isNaN(date.getTime())) return undefined;
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString();
  return local.replace(/(?::00)?\.000Z$|Z$/, '');
}
