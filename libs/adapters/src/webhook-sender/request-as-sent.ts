import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { WebhookRequest } from '@ports/webhook-sender.port';

const OF_THE_CONNECTION = new Set(
  'accept-encoding connection content-length expect host keep-alive te trailer transfer-encoding upgrade'.split(' '),
);

export interface RequestAsSent {
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}

/** A POST as sent. Throws if a header cannot be sent unchanged. */
export function requestAsSent(
  host: string,
  path: string,
  { headers, body }: Pick<WebhookRequest, 'headers' | 'body'>,
): RequestAsSent {
  const fields: [string, string][] = [
    ['Host', host],
    ['Connection', 'keep-alive'],
    ['Accept-Encoding', 'identity'],
  ];
  // Web firewalls refuse requests without this header.
  if (!Object.keys(headers).some((name) => name.toLowerCase() === 'accept')) fields.push(['Accept', '*/*']);
  for (const [name, value] of Object.entries(headers)) {
    if (OF_THE_CONNECTION.has(name.toLowerCase())) continue;
    validateHeaderName(name);
    validateHeaderValue(name, value);
    fields.push([name, value]);
  }
  fields.push(['Content-Length', String(Buffer.byteLength(body))]);
  const lines = [`POST ${path} HTTP/1.1`, ...fields.map(([name, value]) => `${name}: ${value}`), '', ''];
  const bytes = Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), Buffer.from(body, 'utf8')]);
  return { headers: Object.fromEntries(fields), bytes };
}
