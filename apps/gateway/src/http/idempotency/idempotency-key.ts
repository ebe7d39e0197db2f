import type { FastifyRequest } from 'fastify';
import { DomainError } from '@domain/kernel/domain-error';

export const LONGEST_IDEMPOTENCY_KEY = 255;
/** Printable ASCII; a header's value neither begins nor ends with a space. */
export const IDEMPOTENCY_KEY_PATTERN = '^[!-~]([ -~]*[!-~])?$';
const KEY = new RegExp(IDEMPOTENCY_KEY_PATTERN);

/** The key that `Idempotency-Key` names; null where keys do not count or none was sent. */
export function idempotencyKey({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): string | null {
  if (method !== 'POST' && method !== 'PATCH') return null;
  const key = headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key === 'string' && key.length <= LONGEST_IDEMPOTENCY_KEY && KEY.test(key)) return key;
  const message = `Idempotency-Key must be 1 to ${LONGEST_IDEMPOTENCY_KEY} printable ASCII characters.`;
  throw new DomainError('idempotency_key_invalid', message, { param: 'Idempotency-Key' });
}
