import { LRUCache } from 'lru-cache';

interface Zone {
  /** Its name as the IANA database spells it. */
  readonly spelling: string;
  /** The name of the zone that a link or an abbreviation leads to. */
  readonly leadsTo: string;
}

const NO_ZONE = { spelling: null, leadsTo: null };
/** By lower-case name. Cached: asking Intl takes as long as validating a small request. */
const answers = new LRUCache<string, Zone | typeof NO_ZONE>({ max: 2_000, memoMethod: askedOfIntl });

const MAX_NAME_LENGTH = 100;
/** Excludes offsets such as `+01:00`, which newer runtimes accept as zones. */
const NAME = /^[A-Za-z][A-Za-z0-9_+/-]*$/;

/** Whether the runtime knows this zone name or abbreviation; offsets do not count. */
export function isTimeZone(name: string): boolean {
  return zoneOf(name).spelling !== null;
}

/** Names that ICU 78 has beyond the IANA database 2025c; some mislead: BST is Asia/Dhaka. New zones need no change here. */
const KNOWN_TO_ICU_ONLY =
  /^(?:ACT|AET|AGT|ART|AST|BET|BST|CAT|CNT|CST|CTT|EAT|ECT|IET|IST|JST|MIT|NET|NST|PLT|PNT|PRT|PST|SST|VST|Canada\/East-Saskatchewan|US\/Pacific-New|SystemV\/.*)$/i;

export function isIanaName(name: string): boolean {
  return isTimeZone(name) && !KNOWN_TO_ICU_ONLY.test(name);
}

/** Some libraries require the IANA spelling. Only letter case changes: links such as Europe/Kyiv and unknown words stay. */
export function ianaSpelling(name: string): string {
  return zoneOf(name).spelling ?? name;
}

/** The IANA name of a zone or an abbreviation, as receivers are shown it; null for other words. */
export function ianaZone(name: string): string | null {
  const { spelling, leadsTo } = zoneOf(name);
  return isIanaName(name) ? spelling : leadsTo;
}

function zoneOf(name: string): Zone | typeof NO_ZONE {
  if (name.length > MAX_NAME_LENGTH || !NAME.test(name)) return NO_ZONE;
  return answers.memo(name.toLowerCase());
}

function askedOfIntl(small: string): Zone | typeof NO_ZONE {
  try {
    const { timeZone: leadsTo } = new Intl.DateTimeFormat('en', { timeZone: small }).resolvedOptions();
    return { spelling: leadsTo.toLowerCase() === small ? leadsTo : linkSpelling(small), leadsTo };
  } catch {
    return NO_ZONE;
  }
}

const IN_CAPITALS =
  /^(?:act|cdt|cet|chat|cst|edt|eet|est|gb|gmt|hst|in|lhi|mdt|met|mst|nsw|nz|pdt|prc|pst|roc|rok|su|uct|us|utc|w|wet)$/;
const IN_SMALL_LETTERS = /^(?:au|es|of)$/;
const WITH_CAPITALS_INSIDE = ['BajaNorte', 'BajaSur', 'ComodRivadavia', 'DeNoronha', 'DumontDUrville', 'EasterIsland', 'McMurdo'];

function linkSpelling(small: string): string {
  return small.replace(/[a-z]+/g, (word) => {
    if (IN_CAPITALS.test(word)) return word.toUpperCase();
    if (IN_SMALL_LETTERS.test(word)) return word;
    const inside = WITH_CAPITALS_INSIDE.find((each) => each.toLowerCase() === word);
    return inside ?? word.charAt(0).toUpperCase() + word.slice(1);
  });
}
