/**
 * JSON that must leave exactly as it came (metadata, api-contract §17.16): kept as text, never parsed into objects,
 * because parsing reorders integer-like keys and rounds long numbers.
 */
export class JsonText {
  constructor(readonly text: string) {}

  toJSON(): string {
    return `${MARK}${pending.push(this.text) - 1}`;
  }
}

// A lone surrogate cannot occur in any accepted string, so no user text can be mistaken for a place holder.
const MARK = '\ud800json:';
const RENDERED_MARK = '"\\ud800json:';
let pending: string[] = [];

/** `JSON.stringify` in which every `JsonText` appears verbatim. */
export function renderJson(value: unknown): string {
  if (value instanceof JsonText) return value.text;
  pending = [];
  const rendered = JSON.stringify(value);
  if (pending.length === 0) return rendered;
  const texts = pending;
  pending = [];
  let done = '';
  let from = 0;
  for (let at = rendered.indexOf(RENDERED_MARK); at >= 0; at = rendered.indexOf(RENDERED_MARK, from)) {
    const end = rendered.indexOf('"', at + RENDERED_MARK.length);
    done += rendered.slice(from, at) + (texts[Number(rendered.slice(at + RENDERED_MARK.length, end))] ?? 'null');
    from = end + 1;
  }
  return done + rendered.slice(from);
}
