import { hash } from 'node:crypto';
import type { Mask } from '@application/projections/personal/masked-data';

/** Half of the 64 hex digits of SHA-256: a whole digest would let a reader compute that of a longer text (length extension). */
const SHOWN_DIGITS = 32;

export const KEY_BYTES = 32;

/** Makes masks with this random key. Equal values get equal masks; the key is not stored, so masks of two runs cannot be compared. */
export function keyedMask(bytes: Uint8Array): Mask {
  const key = Buffer.from(bytes).toString('hex');
  return (text) => `masked_${hash('sha256', key + text, 'hex').slice(0, SHOWN_DIGITS)}`;
}
