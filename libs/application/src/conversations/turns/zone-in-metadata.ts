import { ianaZone } from '../../appointments/time-zones.js';

/** The `time_zone` in metadata, or null. Replaces abbreviations that only ICU knows, because receivers see the zone. */
export function zoneInMetadata(metadata: string): string | null {
  if (!metadata.includes('"time_zone"')) return null;
  const { time_zone: zone } = JSON.parse(metadata) as { time_zone?: unknown };
  return typeof zone === 'string' ? ianaZone(zone) : null;
}
