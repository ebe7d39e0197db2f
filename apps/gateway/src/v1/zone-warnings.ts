import { zoneInMetadata } from '@application/conversations/turns/zone-in-metadata';
import { isAbsent } from '../http/fields/rules.js';
import type { MetadataText } from '../http/body/metadata-text.js';

export const ABOUT_ZONE =
  'The zone of times in words, and of those without an offset: an IANA name, kept in the spelling of the IANA database. When not given, that in `metadata.time_zone` if it is one, else that of the project, which is UTC unless an administrator set another.';

const SEEMS_A_ZONE = /^(?:time[_-]?zone|tz|zone)$/i;

/** A warning where metadata seems to name the conversation's time zone but is not read as one. */
export function zoneWarnings({ metadata, time_zone: zone }: ZonedBody): readonly string[] {
  if (!metadata || !isAbsent(zone) || !/zone|tz/i.test(metadata.text)) return [];
  if (zoneInMetadata(metadata.text) !== null) return [];
  return Object.keys(JSON.parse(metadata.text) as object)
    .filter((name) => SEEMS_A_ZONE.test(name))
    .slice(0, 1)
    .map((name) => `metadata.${name} is not read as a time zone; send the IANA name as 'time_zone', beside 'metadata'`);
}

interface ZonedBody {
  readonly metadata?: MetadataText | null;
  readonly time_zone?: string | null;
}
