import type { Answer } from './client.js';

/** The parts of an error answer as one comparable value: status, type, code and, if present, param. */
export function errorOf({ status, body }: Answer): readonly unknown[] {
  const { type, code, param } = (body?.error ?? {}) as Record<string, unknown>;
  return param === undefined ? [status, type, code] : [status, type, code, param];
}
