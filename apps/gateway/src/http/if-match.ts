import type { IncomingHttpHeaders } from 'node:http';
import { DomainError } from '@domain/kernel/domain-error';

const ETAG = /^(?:W\/)?"v(\d{1,15})"$/;

/** The version that `If-Match: "v7"` asks for; null when any will do. */
export function matchedVersion(headers: IncomingHttpHeaders): number | null {
  const header = headers['if-match'];
  if (header === undefined || header === '*') return null;
  const version = ETAG.exec(header)?.[1];
  if (version !== undefined) return Number(version);
  throw new DomainError('parameter_invalid', 'If-Match takes a version such as "v7".', { param: 'If-Match' });
}

export function entityTag(version: number): string {
  return `"v${version}"`;
}
