import { TEXTS } from '../texts.js';
import { CopyButton } from './copy-button.js';

export interface ShownRequest {
  /** `GET` when absent. */
  readonly method?: string;
  /** Below `/v1`, with a leading slash. */
  readonly path: string;
  /** A list names its parameter several times. */
  readonly query?: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body?: unknown;
}

/** The request to `/v1` that does the same, with the key in `$API_KEY`. */
export function curlOf({ method = 'GET', path, query = {}, body }: ShownRequest): string {
  const wanted = Object.entries(query).flatMap(([name, value]) => [value ?? []].flat().map((each) => [name, each] as const));
  const search = wanted.flatMap(([name, value]) => (value === '' ? [] : `${name}=${encodeURIComponent(value)}`)).join('&');
  const url = `${location.origin}/v1${path}${search === '' ? '' : `?${search}`}`;
  const lines = [`curl -sS -g ${quoted(url)}`, '  -H "Authorization: Bearer $API_KEY"'];
  if (method !== 'GET') lines.push(`  -X ${method}`, '  -H "Idempotency-Key: $(uuidgen)"');
  if (body !== undefined) lines.push("  -H 'Content-Type: application/json'", `  -d ${quoted(JSON.stringify(body))}`);
  return lines.join(' \\\n');
}

/** As one word of a shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** What does the same with the API: one request, or several after each other. */
export function Curl({ request }: { readonly request: ShownRequest | readonly ShownRequest[] }) {
  const text = [request].flat().map(curlOf).join('\n');
  return <Command summary={TEXTS.curl} text={text} note="$API_KEY" />;
}

interface CommandProps {
  readonly summary: string;
  readonly text: string;
  /** What of it the reader puts in. */
  readonly note?: string;
}

/** A command of a shell, to copy. */
export function Command({ summary, text, note }: CommandProps) {
  return (
    <details class="small">
      <summary>{summary}</summary>
      <div class="row apart">
        <span class="muted">{note}</span>
        <CopyButton text={text} />
      </div>
      <pre class="block" tabIndex={0}>
        {text}
      </pre>
    </details>
  );
}
