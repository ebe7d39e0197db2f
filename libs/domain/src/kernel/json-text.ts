/**
 * JSON that must leave exactly as it came (metadata, api-contract §17.16): kept as text, never parsed into objects,
 * because parsing reorders integer-like keys and rounds long numbers.
 */
export class JsonText {
  constructor(readonly text: string) {}

  toJSON(): string {
    return `${mark}${pending.push(this.text) - 1}`;
  }
}

/** Keeps what is rendered at one byte a character, but a user's text may begin like it. */
const QUICK_MARK = '\0json:';
/** A lone surrogate cannot occur in any accepted string, so no user text can be mistaken for a place holder. */
const SURE_MARK = '\ud800json:';
let mark = QUICK_MARK;
let pending: string[] = [];

/** `JSON.stringify` in which every `JsonText` appears verbatim. */
export function renderJson(value: unknown): string {
  if (value instanceof JsonText) return value.text;
  return renderedBy(QUICK_MARK, value) ?? renderedBy(SURE_MARK, value) ?? '';
}

/** Null when more places bear the mark than were given it. */
function renderedBy(given: string, value: unknown): string | null {
  mark = given;
  pending = [];
  const rendered = JSON.stringify(value);
  const texts = pending;
  if (texts.length === 0) return rendered;
  pending = [];
  const [first = '', ...pieces] = rendered.split(JSON.stringify(given).slice(0, -1));
  if (pieces.length > texts.length) return null;
  return pieces.reduce((done, piece) => done + filledIn(piece, texts), first);
}

/** A piece begins with the number of its text and a quotation mark. */
function filledIn(piece: string, texts: readonly string[]): string {
  const end = piece.indexOf('"');
  return (texts[Number(piece.slice(0, end))] ?? 'null') + piece.slice(end + 1);
}
