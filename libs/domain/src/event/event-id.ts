import { chanceOfId, ID_PREFIXES, encodeUlid } from '../kernel/ids.js';

/**
 * The id of the event that a change of an appointment emits: always the same for the same place in the same stream.
 * The appointment's own chance, with the revision in its top bits: ids counted on within a millisecond differ in the low ones.
 */
export function eventIdOf(appointmentId: string, revision: number, at: number): string {
  const chance = chanceOfId(appointmentId);
  const mixed = chance.map((byte, index) => (index < 4 ? byte ^ ((revision >>> (8 * (3 - index))) & 255) : byte));
  return `${ID_PREFIXES.event}_${encodeUlid(at, mixed)}`;
}
