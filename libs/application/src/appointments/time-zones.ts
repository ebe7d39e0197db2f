/**
 * The zone in which a conversation's times are read: its `metadata.time_zone` when that is one, else UTC. Appointments show
 * it to receivers: an abbreviation stands for the zone that the runtime takes it for.
 */
export function timeZoneOf(metadata: string): string {
  if (!metadata.includes('"time_zone"')) return 'UTC';
  const { time_zone: zone } = JSON.parse(metadata) as { time_zone?: unknown };
  if (typeof zone !== 'string' || !isTimeZone(zone)) return 'UTC';
  return isIanaName(zone) ? zone : new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
}

/** In small letters, as no runtime minds them. Asking it takes as long as the rest of a small request's validation. */
const known = new Set<string>();

/** Newer runtimes take offsets for zones as well. */
const NAME = /^[A-Za-z][A-Za-z0-9_+/-]*$/;

/** Whether the runtime can tell times in it: a zone by its name or abbreviation, no offset. */
export function isTimeZone(name: string): boolean {
  if (!NAME.test(name)) return false;
  const small = name.toLowerCase();
  if (known.has(small)) return true;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    known.add(small);
    return true;
  } catch {
    return false;
  }
}

/** What ICU alone calls zones, and people otherwise: its BST is Asia/Dhaka, its ECT Europe/Paris. */
const KNOWN_TO_ICU_ONLY =
  /^(?:ACT|AET|AGT|ART|AST|BET|BST|CAT|CNT|CST|CTT|EAT|ECT|IET|IST|JST|MIT|NET|NST|PLT|PNT|PRT|PST|SST|VST|SystemV\/.*)$/i;

/** Whether receivers can look the zone up by this name, whatever they are written in. */
export function isIanaName(name: string): boolean {
  return isTimeZone(name) && !KNOWN_TO_ICU_ONLY.test(name);
}
