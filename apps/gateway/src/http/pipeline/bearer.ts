import type { IncomingHttpHeaders } from 'node:http';

const BEARER = /^Bearer +([^\s]+)$/i;

/** The token of an `Authorization: Bearer …` header. */
export function bearerOf({ authorization = '' }: IncomingHttpHeaders): string | null {
  return BEARER.exec(authorization)?.[1] ?? null;
}
