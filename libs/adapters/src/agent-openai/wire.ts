export type Wire = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Wire {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
