/** The metadata object itself is the first level. */
export const METADATA_BOUNDS = { kib: 16, levels: 8 };

export type MetadataProblem = 'not_an_object' | 'too_large' | 'too_deep' | 'lone_surrogate';

/** The JSON text is stored as sent; the parsed value serves validation only. */
export class MetadataText {
  constructor(
    readonly text: string,
    private readonly parsed: unknown,
  ) {}

  get problem(): MetadataProblem | null {
    const { parsed, text } = this;
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return 'not_an_object';
    if (Buffer.byteLength(text) > METADATA_BOUNDS.kib * 1024) return 'too_large';
    if (isDeeperThan(METADATA_BOUNDS.levels, parsed)) return 'too_deep';
    return text.includes('\\u') && holdsLoneSurrogate(parsed) ? 'lone_surrogate' : null;
  }
}

/** Whether arrays and objects are nested deeper than `levels`; the value itself is the first. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const inner of Object.values(value)) if (isDeeperThan(levels - 1, inner)) return true;
  return false;
}

/** Checks all strings, names included. Recursive: the depth of the value must be bounded. */
export function holdsLoneSurrogate(value: unknown): boolean {
  if (typeof value === 'string') return !value.isWellFormed();
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, inner]) => !name.isWellFormed() || holdsLoneSurrogate(inner));
}
