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

interface Mark {
  readonly begins: string;
  /** As it is found in rendered JSON. */
  readonly rendered: string;
}

const markOf = (begins: string): Mark => ({ begins, rendered: JSON.stringify(begins).slice(0, -1) });

/** Keeps what is rendered at one byte a character, but a user's text may begin like it. */
const QUICK_MARK = markOf('\0json:');
/** A lone surrogate cannot occur in any accepted string, so no user text can be mistaken for a place holder. */
const SURE_MARK = markOf('\ud800json:');
let mark = QUICK_MARK.begins;
let pending: string[] = [];

/** `JSON.stringify` in which every `JsonText` appears verbatim. */
export function renderJson(value: unknown): string {
  if (value instanceof JsonText) return value.text;
  const quick = marked(value, QUICK_MARK);
  if (quick.texts.length === 0) return quick.first;
  const isMistaken = quick.pieces.length > quick.texts.length;
  const { first, pieces, texts } = isMistaken ? marked(value, SURE_MARK) : quick;
  let done = first;
  for (const piece of pieces) done += filledIn(piece, texts);
  return done;
}

/** Rendered with place holders, and cut before each; the texts that belong there. */
function marked(value: unknown, { begins, rendered: cutAt }: Mark) {
  mark = begins;
  pending = [];
  const rendered = JSON.stringify(value);
  const texts = pending;
  pending = [];
  if (texts.length === 0) return { texts, first: rendered, pieces: [] };
  const [first = '', ...pieces] = rendered.split(cutAt);
  return { texts, first, pieces };
}

/** A piece begins with the number of its text and a quotation mark. */
function filledIn(piece: string, texts: readonly string[]): string {
  const end = piece.indexOf('"');
  return (texts[Number(piece.slice(0, end))] ?? 'null') + piece.slice(end + 1);
}
