import { DomainError } from '../kernel/domain-error.js';

const NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;
const VALUE = /^[\x20-\x7e]{0,1024}$/;
const MOST = 20;

/** What we say ourselves, and what belongs to the connection. */
const RESERVED =
  /^(host|content-.*|service-.*|webhook-.*|proxy-.*|connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|user-agent)$/i;

/** Refuses headers that an endpoint may not ask for. */
export function refuseBadHeaders(headers: Readonly<Record<string, string>>): void {
  const entries = Object.entries(headers);
  if (entries.length > MOST) throw refusal(`There are at most ${MOST} headers.`);
  for (const [name, value] of entries) {
    if (RESERVED.test(name)) throw refusal('This header is reserved.');
    if (!NAME.test(name) || !VALUE.test(value))
      throw refusal('A header has a plain name and a value of printable ASCII characters.');
  }
}

function refusal(message: string): DomainError {
  return new DomainError('parameter_invalid', message, { param: 'headers' });
}
