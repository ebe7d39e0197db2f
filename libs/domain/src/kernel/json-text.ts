/**
 * JSON that must leave exactly as it came (metadata, api-contract §17.16): kept as text, never parsed into objects,
 * because parsing reorders integer-like keys and rounds long numbers.
 */
export class JsonText {
  constructor(readonly text: string) {}

  toJSON(): unknown {
    // What most have needs no place holder.
    if (this.text === '{}') return NOTHING;
    return `${mark}${pending.push(this.text) - 1}`;
  }
}

const NOTHING = {};

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
  const quick = filledIn(value, QUICK_MARK);
  return quick === null ? String(filledIn(value, SURE_MARK)) : quick;
}

/** Rendered with place holders, and these filled in; null when there are more of them than texts. */
function filledIn(value: unknown, { begins, rendered: found }: Mark): string | null {
  mark = begins;
  pending = [];
  const rendered = JSON.stringify(value);
  const texts = pending;
  pending = [];
  if (texts.length === 0) return rendered;
  let done = '';
  let from = 0;
  let left = texts.length;
  for (let at = rendered.indexOf(found); at >= 0; at = rendered.indexOf(found, from)) {
    // Behind the mark come the number of its text and a quotation mark.
    const end = rendered.indexOf('"', at + found.length);
    done += rendered.slice(from, at) + (texts[Number(rendered.slice(at + found.length, end))] ?? '');
    from = end + 1;
    left -= 1;
  }
  return left === 0 ? done + rendered.slice(from) : null;
}
