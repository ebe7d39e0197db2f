/** What metadata may have at most; its own object is the first level. */
export const METADATA_BOUNDS = { kib: 16, levels: 8 };

export type MetadataProblem = 'not_an_object' | 'too_large' | 'too_deep' | 'lone_surrogate';

/** Metadata as it was sent, with what `JSON.parse` made of it for judging only. */
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

/** Whether objects and arrays are nested in more levels than this; the value itself is the first. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const inner of Object.values(value)) if (isDeeperThan(levels - 1, inner)) return true;
  return false;
}

/** Whether any text in it, names included, is no Unicode. The value must not be nested deeply. */
export function holdsLoneSurrogate(value: unknown): boolean {
  if (typeof value === 'string') return !value.isWellFormed();
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, inner]) => !name.isWellFormed() || holdsLoneSurrogate(inner));
}
