import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';

const MOST_HEADERS = 64;
const LONGEST_HEADER_VALUE = 1024;
const LONGEST_LOCATION = 200;

type RawHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The answer's headers as the delivery log keeps them: with lower-case names, and bounded in number and length. */
export function boundedHeaders(raw: RawHeaders): Record<string, string> {
  const kept = Object.entries(raw)
    .filter(([, value]) => value !== undefined)
    .slice(0, MOST_HEADERS)
    .map(([name, value]) => {
      const text = typeof value === 'string' ? value : (value ?? []).join(', ');
      return [name.toLowerCase(), text.slice(0, name.toLowerCase() === 'location' ? LONGEST_LOCATION : LONGEST_HEADER_VALUE)];
    });
  return Object.fromEntries(kept) as Record<string, string>;
}

/** The body as text, or null where it is none. An incomplete last character is dropped. */
export function responseText(bytes: Buffer, headers: Readonly<Record<string, string>>, isComplete: boolean): string | null {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') return null;
  const [, charset = 'utf-8'] = /charset="?([\w.:-]+)/i.exec(headers['content-type'] ?? '') ?? [];
  // Many times faster than a decoder, which handles the rare cases.
  if (isComplete && charset.toLowerCase() === 'utf-8') return isUtf8(bytes) ? bytes.toString('utf8') : null;
  try {
    return decoderOf(charset).decode(bytes, { stream: !isComplete });
  } catch {
    return null;
  }
}

function decoderOf(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch {
    return new TextDecoder('utf-8', { fatal: true });
  }
}
