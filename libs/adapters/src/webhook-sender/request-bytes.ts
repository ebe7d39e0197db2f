import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { WebhookRequest } from '@ports/webhook-sender.port';

/** Headers that describe the connection or the framing: an endpoint's custom headers cannot set them. */
const OF_THE_CONNECTION = new Set(
  'accept-encoding connection content-length expect host keep-alive te trailer transfer-encoding upgrade'.split(' '),
);

/** A POST as it goes over the connection. Throws where a header could not be sent as what it is. */
export function requestBytes(host: string, path: string, { headers, body }: Pick<WebhookRequest, 'headers' | 'body'>): Buffer {
  const lines = [`POST ${path} HTTP/1.1`, `Host: ${host}`, 'Connection: keep-alive', 'Accept-Encoding: identity'];
  // Rule sets of web firewalls refuse requests without this header.
  if (!Object.keys(headers).some((name) => name.toLowerCase() === 'accept')) lines.push('Accept: */*');
  for (const [name, value] of Object.entries(headers)) {
    if (OF_THE_CONNECTION.has(name.toLowerCase())) continue;
    validateHeaderName(name);
    validateHeaderValue(name, value);
    lines.push(`${name}: ${value}`);
  }
  lines.push(`Content-Length: ${Buffer.byteLength(body)}`, '', '');
  return Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), Buffer.from(body, 'utf8')]);
}
