/** `$tb` of a soft-deleted stream. */
export const ALL_BEFORE = 2 ** 63;

export function shown(records, { $maxCount = Infinity, $tb = 0 }) {
  const kept = $maxCount < records.length ? records.slice(-$maxCount) : records;
  return kept.filter(({ revision }) => Number(revision) >= $tb);
}

export const isSoftDeleted = ({ $tb = 0 }) => $tb >= ALL_BEFORE;

/** The stream that this metadata stream describes; undefined if it describes none. */
export const describedBy = (name) => (name.startsWith('$$') ? name.slice(2) : undefined);
