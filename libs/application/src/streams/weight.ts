/** How many characters of text a value holds, however deep: nearly all that can be heavy in what is remembered here. */
export function weightOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let characters = 0;
  if (Array.isArray(value)) for (const each of value) characters += weightOf(each);
  else for (const name in value) characters += weightOf((value as Record<string, unknown>)[name]);
  return characters;
}
