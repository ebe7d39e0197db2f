/** Roughly what a list or an object takes beside its texts. */
const OBJECT = 64;

/** The weight of a cached state in characters: its text and its objects, at any depth. */
export function weightOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let characters = OBJECT;
  if (Array.isArray(value)) for (const each of value) characters += weightOf(each);
  else for (const name in value) characters += weightOf((value as Record<string, unknown>)[name]);
  return characters;
}
