/** JSON to return exactly as sent (metadata). Kept as text: parsing reorders integer-like keys and rounds long numbers. */
export class JsonText {
  constructor(readonly text: string) {}

  toJSON(): unknown {
    if (this.text === '{}') return NOTHING;
    return `${mark}${pending.push(this.text) - 1}`;
  }
}

const NOTHING = {};

interface Mark {
  readonly begins: string;
  /** The mark as `JSON.stringify` escapes it. */
  readonly rendered: string;
}

const markOf = (begins: string): Mark => ({ begins, rendered: JSON.stringify(begins).slice(0, -1) });

/** Keeps the rendered string at one byte per character, but a user's text may begin with it. */
const QUICK_MARK = markOf('\0json:');
/** No accepted string contains a lone surrogate, so no user's text can be mistaken for a placeholder. */
const SURE_MARK = markOf('\ud800json:');
let mark = QUICK_MARK.begins;
let pending: string[] = [];

/** `JSON.stringify` in which every `JsonText` appears verbatim. */
export function renderJson(value: unknown): string {
  if (value instanceof JsonText) return value.text;
  const quick = filledIn(value, QUICK_MARK);
  return quick === null ? String(filledIn(value, SURE_MARK)) : quick;
}

/** Renders with placeholders and fills them in; null if a user's text contains the mark. */
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
    // The mark is followed by the text's index and a quotation mark.
    const end = rendered.indexOf('"', at + found.length);
    done += rendered.slice(from, at) + (texts[Number(rendered.slice(at + found.length, end))] ?? '');
    from = end + 1;
    left -= 1;
  }
  return left === 0 ? done + rendered.slice(from) : null;
}
