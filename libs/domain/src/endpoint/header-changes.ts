import { hasAny } from '../kernel/differing.js';
import { nothingBehindMask } from './custom-headers.js';
import type { Endpoint } from './endpoint.js';
import type { SealedHeaders, SealedSecret } from './endpoint.events.js';

/** Null keeps the value of that name. */
export type HeaderChanges = Readonly<Record<string, SealedSecret | null>>;

const ORIGIN = /^(https?):\/\/([^/?#]*)/i;
const USUAL_PORTS: Readonly<Record<string, string>> = { http: ':80', https: ':443' };

/** Normalizes scheme, host and port. */
export function originOf(url: string): string {
  const [, scheme = '', authority = ''] = (ORIGIN.exec(url) ?? []).map((part) => part.toLowerCase());
  const port = USUAL_PORTS[scheme] ?? ':';
  return `${scheme}://${authority.endsWith(port) ? authority.slice(0, -port.length) : authority}`;
}

/** The headers after a change; undefined if unchanged. Values are secrets of one host: a new host, port or scheme gets none of them. */
export function headersAfter(endpoint: Endpoint, url: string | undefined, changes: HeaderChanges | undefined) {
  const isMoved = url !== undefined && originOf(url) !== originOf(endpoint.url);
  if (!changes) return isMoved && (hasAny(endpoint.sealedHeaders) || hasAny(endpoint.plainHeaders)) ? {} : undefined;
  const known = isMoved ? {} : endpoint.sealedHeaders;
  return Object.fromEntries(Object.entries(changes).map(([name, sealed]) => [name, sealed ?? keptValue(known, name)]));
}

function keptValue(known: SealedHeaders, name: string): SealedSecret {
  const spelling = Object.keys(known).find((each) => each.toLowerCase() === name.toLowerCase());
  const sealed = spelling === undefined ? undefined : known[spelling];
  if (sealed === undefined) throw nothingBehindMask(name);
  return sealed;
}
