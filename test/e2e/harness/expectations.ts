import type { Answer } from './client.js';

/** What an error answer says, in one value to compare: status, type, code and, when there is one, param. */
export function errorOf({ status, body }: Answer): readonly unknown[] {
  const { type, code, param } = (body?.error ?? {}) as Record<string, unknown>;
  return param === undefined ? [status, type, code] : [status, type, code, param];
}
