/** Known zones, in lower case, since names are case-insensitive. Asking Intl takes as long as validating a small request. */
const known = new Set<string>();

/** Excludes offsets such as `+01:00`, which newer runtimes accept as zones. */
const NAME = /^[A-Za-z][A-Za-z0-9_+/-]*$/;

/** Whether the runtime knows a zone by this name or abbreviation; offsets do not count. */
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

/** Names that only ICU knows, some with a surprising meaning: its BST is Asia/Dhaka, its ECT Europe/Paris. */
const KNOWN_TO_ICU_ONLY =
  /^(?:ACT|AET|AGT|ART|AST|BET|BST|CAT|CNT|CST|CTT|EAT|ECT|IET|IST|JST|MIT|NET|NST|PLT|PNT|PRT|PST|SST|VST|SystemV\/.*)$/i;

/** Whether this is a name of the IANA database, which receivers in any language know. */
export function isIanaName(name: string): boolean {
  return isTimeZone(name) && !KNOWN_TO_ICU_ONLY.test(name);
}
