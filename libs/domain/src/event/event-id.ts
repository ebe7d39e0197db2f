import { chanceOfId, ID_PREFIXES, encodeUlid } from '../kernel/ids.js';

/** Derived from stream and revision, which is mixed into the top random bits: ids made within one millisecond differ in the low ones. */
export function eventIdOf(appointmentId: string, revision: number, at: number): string {
  const chance = chanceOfId(appointmentId);
  const mixed = chance.map((byte, index) => (index < 4 ? byte ^ ((revision >>> (8 * (3 - index))) & 255) : byte));
  return `${ID_PREFIXES.event}_${encodeUlid(at, mixed)}`;
}

/** No event that happened at this instant (epoch milliseconds) or later has a lesser id, and every earlier one has. */
export function firstEventIdAt(at: number): string {
  return `${ID_PREFIXES.event}_${encodeUlid(Math.max(0, at), new Uint8Array(10))}`;
}
