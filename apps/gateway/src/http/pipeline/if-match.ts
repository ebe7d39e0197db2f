import type { IncomingHttpHeaders } from 'node:http';
import { DomainError } from '@domain/kernel/domain-error';

export const IF_MATCH_PATTERN = '^(\\*|(W/)?"v([0-9]{1,15})")$';
const IF_MATCH = new RegExp(IF_MATCH_PATTERN);

/** The version in `If-Match: "v7"`; null for any. */
export function matchedVersion(headers: IncomingHttpHeaders): number | null {
  const header = headers['if-match'];
  if (header === undefined || header === '*') return null;
  const version = IF_MATCH.exec(header)?.[3];
  if (version !== undefined) return Number(version);
  throw new DomainError('parameter_invalid', 'If-Match takes a version such as "v7".', { param: 'If-Match' });
}

/** Versions count from one. */
const NO_VERSION = 0;

/** The version that header and body ask for; if they differ, one that nothing has, because one of them is wrong. */
export function expectedVersion(headers: IncomingHttpHeaders, stated: number | null): number | null {
  const matched = matchedVersion(headers);
  if (matched === null || stated === null || matched === stated) return matched ?? stated;
  return NO_VERSION;
}

export function entityTag(version: number): string {
  return `"v${version}"`;
}
