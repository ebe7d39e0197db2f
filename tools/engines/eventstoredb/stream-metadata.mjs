/** `$tb` of a stream that was deleted, but not for good. */
export const ALL_BEFORE = 2 ** 63;

/** The records that the stream's metadata lets a reader see. */
export function shown(records, { $maxCount = Infinity, $tb = 0 }) {
  const kept = $maxCount < records.length ? records.slice(-$maxCount) : records;
  return kept.filter(({ revision }) => Number(revision) >= $tb);
}

export const isSoftDeleted = ({ $tb = 0 }) => $tb >= ALL_BEFORE;

/** The stream whose metadata a stream of this name holds; undefined where it holds none. */
export const describedBy = (name) => (name.startsWith('$$') ? name.slice(2) : undefined);
