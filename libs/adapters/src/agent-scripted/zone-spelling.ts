import { IANAZone } from 'luxon';

const spellings = new Map<string, string>();

/**
 * A zone by the spelling in which it came first, for luxon alone: it keeps what it makes for a zone, some 80 KB, for ever
 * and by its spelling, of which a name has millions.
 */
export function spelledOnce(zone: string): string {
  const name = zone.toLowerCase();
  const known = spellings.get(name);
  if (known !== undefined) return known;
  if (IANAZone.isValidZone(zone)) spellings.set(name, zone);
  return zone;
}
