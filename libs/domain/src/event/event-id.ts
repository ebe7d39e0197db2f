import { ID_PREFIXES, encodeUlid } from '../kernel/ids.js';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * The id of the event that a change of an appointment emits: always the same for the same place in the same stream.
 * The appointment's own chance, with the revision in its top bits: ids counted on within a millisecond differ in the low ones.
 */
export function eventIdOf(appointmentId: string, revision: number, at: number): string {
  const chance = chanceOf(appointmentId);
  const mixed = chance.map((byte, index) => (index < 4 ? byte ^ ((revision >>> (8 * (3 - index))) & 255) : byte));
  return `${ID_PREFIXES.event}_${encodeUlid(at, mixed)}`;
}

/** The 10 bytes after the time of an id's ULID. */
function chanceOf(id: string): Uint8Array {
  const bytes = new Uint8Array(10);
  let bits = 0;
  let pending = 0;
  let next = 0;
  for (const letter of id.slice(-16)) {
    pending = (pending << 5) | ALPHABET.indexOf(letter);
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes[next++] = (pending >> bits) & 255;
    pending &= (1 << bits) - 1;
  }
  return bytes;
}
