const LAST_CODE_POINT = 0x10ffff;
const FIRST_SURROGATE = 0xd800;
const AFTER_SURROGATES = 0xe000;

/** The first text, by code point, behind all that begin with the prefix; null when there is none. */
export function textSuccessor(prefix: string): string | null {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  while (points.at(-1) === LAST_CODE_POINT) points.pop();
  const last = points.pop();
  if (last === undefined) return null;
  // A lone surrogate is no character: drivers write U+FFFD for it.
  const next = last + 1 === FIRST_SURROGATE ? AFTER_SURROGATES : last + 1;
  return String.fromCodePoint(...points, next);
}
