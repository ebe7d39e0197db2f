import { chanceOfId, ID_PREFIXES, encodeUlid } from '../kernel/ids.js';

/**
 * Derives the id of an emitted event: the same stream and revision always give the same id. It reuses the appointment's
 * random bytes and mixes the revision into the top bits, because ids counted up within one millisecond differ in the
 * low bits.
 */
export function eventIdOf(appointmentId: string, revision: number, at: number): string {
  const chance = chanceOfId(appointmentId);
  const mixed = chance.map((byte, index) => (index < 4 ? byte ^ ((revision >>> (8 * (3 - index))) & 255) : byte));
  return `${ID_PREFIXES.event}_${encodeUlid(at, mixed)}`;
}
