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

export const EMPTY_OBJECT = new JsonText('{}');

// A lone surrogate cannot occur in any accepted string, so no user text can be mistaken for a place holder.
const MARK = '\ud800json:';
const PLACE_HOLDER = /"\\ud800json:(\d+)"/g;
let pending: string[] = [];

/** `JSON.stringify` in which every `JsonText` appears verbatim. */
export function renderJson(value: unknown): string {
  if (value instanceof JsonText) return value.text;
  pending = [];
  const rendered = JSON.stringify(value);
  if (pending.length === 0) return rendered;
  const texts = pending;
  pending = [];
  return rendered.replace(PLACE_HOLDER, (_match, index: string) => texts[Number(index)] ?? 'null');
}
