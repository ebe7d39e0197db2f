import { Command, quoted } from '../../parts/curl.js';
import { Section } from '../../parts/place.js';
import type { Attempt } from './attempt.js';
import { ONE_DELIVERY_TEXTS as TEXTS } from './texts.js';

const RECEIVER = 'http://127.0.0.1:4000';
/** These are of the connection: curl sets its own. */
const OF_THE_CONNECTION: readonly string[] = ['host', 'content-length', 'connection', 'transfer-encoding'];

interface LocalReceiverProps {
  readonly attempt: Attempt | undefined;
  readonly body: string | null;
  readonly url: string;
}

/** The command that posts the bytes of an attempt to a receiver on the viewer's machine. */
export function LocalReceiver({ attempt, body, url }: LocalReceiverProps) {
  const headers = attempt?.request_headers;
  return (
    <Section title={TEXTS.local}>
      {headers && body !== null ? (
        <>
          <p class="muted">{TEXTS.localAbout}</p>
          <Command summary={TEXTS.curl} text={commandOf(headers, body, url)} />
        </>
      ) : (
        <p class="muted">{TEXTS.localNone}</p>
      )}
    </Section>
  );
}

function commandOf(headers: Readonly<Record<string, string>>, body: string, url: string): string {
  const { pathname, search } = new URL(url);
  const sent = Object.entries(headers).filter(([name]) => !OF_THE_CONNECTION.includes(name.toLowerCase()));
  const lines = [
    `curl -sS -g -i -X POST ${quoted(`${RECEIVER}${pathname}${search}`)}`,
    ...sent.map(([name, value]) => `  -H ${quoted(`${name}: ${value}`)}`),
    `  --data-binary ${quoted(body)}`,
  ];
  return lines.join(' \\\n');
}
