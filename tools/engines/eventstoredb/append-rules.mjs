/** Expected revisions other than numbers. */
export const NO_STREAM = 'no stream';
export const ANY = 'any';
export const STREAM_EXISTS = 'stream exists';

/**
 * The outcome of an append, checked in the order of a server: `deleted`, `wrong`, `again` (answer of the event at `revision`), `silent` or
 * `write`. Events count once accepted, before they are indexed.
 */
export function judge(stream, expected, ids, behaviours) {
  if (stream.deleted && behaviours.has('a deleted stream refuses before anything else')) return { kind: 'deleted' };
  if (stream.isSoftDeleted && expected === STREAM_EXISTS) return { kind: 'deleted' };
  const last = stream.records.length - 1;
  if (expected === ANY || expected === STREAM_EXISTS) return judgeAnyRevision(stream, expected, ids, behaviours);
  const before = expected === NO_STREAM ? -1 : expected;
  if (last === -1 && before >= 0) {
    return behaviours.has('a missing stream has no revision') ? { kind: 'wrong' } : { kind: 'write' };
  }
  if (before < last && behaviours.has('a batch that is stored at its revision gets its first answer')) {
    const stored = ids.filter((id, index) => stream.records[before + 1 + index]?.id === id).length;
    if (stored === ids.length) return again(stream, before + ids.length, behaviours);
    const isPart = stream.records[before + 1]?.id === ids[0];
    if (isPart && !behaviours.has('a batch that is stored in part is refused')) return again(stream, last, behaviours);
    if (isPart) return { kind: 'wrong' };
  }
  if (stream.isSoftDeleted && expected === NO_STREAM) return { kind: 'write' };
  if (before !== last && behaviours.has('the expected revision is checked')) return { kind: 'wrong' };
  return { kind: 'write' };
}

function judgeAnyRevision(stream, expected, ids, behaviours) {
  if (expected === STREAM_EXISTS && stream.records.length === 0) return { kind: 'wrong' };
  if (!behaviours.has('a batch that is stored anywhere gets its first answer where any revision will do'))
    return { kind: 'write' };
  const places = ids.map((id) => stream.records.findIndex((record) => record.id === id));
  if (places[0] === -1) return { kind: 'write' };
  if (places.includes(-1)) return { kind: 'wrong' };
  return again(stream, places.at(-1), behaviours);
}

function again(stream, revision, behaviours) {
  const { indexed } = stream.records[revision];
  if (!indexed && behaviours.has('a twin of a batch that is not indexed yet gets no answer')) return { kind: 'silent' };
  return { kind: 'again', revision };
}

/** The outcome of a deletion: `deleted` if tombstoned, `wrong` or `write`. */
export function judgeDeletion(stream, expected) {
  if (stream.deleted) return { kind: 'deleted' };
  const last = stream.records.length - 1;
  const isExpected = expected === STREAM_EXISTS ? last >= 0 : (expected === NO_STREAM ? -1 : expected) === last;
  return { kind: expected === ANY || isExpected ? 'write' : 'wrong' };
}
