import { DomainError } from '@domain/kernel/domain-error';

const ETAG = /^(?:W\/)?"v(\d{1,15})"$/;

/** The version a change asks for by `If-Match: "v7"`, else by the body; null when it does not care. */
export function expectedVersion(
  headers: Readonly<Record<string, unknown>>,
  body: { expected_version?: number | null },
): number | null {
  const header = headers['if-match'];
  if (header === undefined || header === '*') return body.expected_version ?? null;
  const [, version] = (typeof header === 'string' && ETAG.exec(header)) || [];
  if (version !== undefined) return Number(version);
  throw new DomainError('parameter_invalid', 'If-Match takes a version such as "v7".', { param: 'If-Match' });
}

export function entityTag(version: number): string {
  return `"v${version}"`;
}
