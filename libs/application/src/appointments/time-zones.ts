/** The spelling of each known zone by its name in lower case. Asking Intl takes as long as validating a small request. */
const known = new Map<string, string>();

/** Excludes offsets such as `+01:00`, which newer runtimes accept as zones. */
const NAME = /^[A-Za-z][A-Za-z0-9_+/-]*$/;

/** Whether the runtime knows a zone by this name or abbreviation; offsets do not count. */
export function isTimeZone(name: string): boolean {
  return spellingOf(name) !== null;
}

/**
 * Names that only ICU knows, some with a surprising meaning: its BST is Asia/Dhaka, its ECT Europe/Paris. These are all that ICU 78
 * knows beyond the IANA database of 2025c with its links. A list of what is refused lets new zones and links in without a change.
 */
const KNOWN_TO_ICU_ONLY =
  /^(?:ACT|AET|AGT|ART|AST|BET|BST|CAT|CNT|CST|CTT|EAT|ECT|IET|IST|JST|MIT|NET|NST|PLT|PNT|PRT|PST|SST|VST|Canada\/East-Saskatchewan|US\/Pacific-New|SystemV\/.*)$/i;

/** Whether this is a name of the IANA database, which receivers in any language know. */
export function isIanaName(name: string): boolean {
  return isTimeZone(name) && !KNOWN_TO_ICU_ONLY.test(name);
}

/**
 * A zone in the spelling of the IANA database, which some receivers' libraries insist on. Only letters change case: a link such
 * as Europe/Kyiv stays the name that was said. Other words stay as they are.
 */
export function ianaSpelling(name: string): string {
  return spellingOf(name) ?? name;
}

function spellingOf(name: string): string | null {
  if (!NAME.test(name)) return null;
  const small = name.toLowerCase();
  const found = known.get(small);
  if (found !== undefined) return found;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    // The runtime names the zone that a link leads to.
    const spelling = timeZone.toLowerCase() === small ? timeZone : linkSpelling(small);
    known.set(small, spelling);
    return spelling;
  } catch {
    return null;
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
