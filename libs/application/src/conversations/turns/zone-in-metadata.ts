import { ianaSpelling, isIanaName, isTimeZone } from '../../appointments/time-zones.js';

/**
 * The zone that metadata names as `time_zone`; null where it names none. Appointments show it to receivers, so an abbreviation
 * that only ICU knows is replaced by the zone it stands for.
 */
export function zoneInMetadata(metadata: string): string | null {
  if (!metadata.includes('"time_zone"')) return null;
  const { time_zone: zone } = JSON.parse(metadata) as { time_zone?: unknown };
  if (typeof zone !== 'string' || !isTimeZone(zone)) return null;
  return isIanaName(zone) ? ianaSpelling(zone) : new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
}
