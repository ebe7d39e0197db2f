/** The name in `meta` of the log row up to which the index knows every record. */
export const RECORDS_INDEXED = 'records indexed';

/**
 * How many rows of the record log share one part of the index. Keys are random, so adding a few thousand of them touches
 * nearly every page of the part they go into. A part of bounded size keeps that cheap however many records there are.
 */
const ROWS_OF_A_PART = 65_536;

/** The part of the index that holds the entry of this log row. */
export function partOfRow(row: number): number {
  return Math.floor(row / ROWS_OF_A_PART);
}

/** SQL: the part of the oldest record in the log; above every part when the log is empty. */
export const PART_OF_OLDEST = `coalesce((SELECT min(row) / ${ROWS_OF_A_PART} FROM record_log), ${Number.MAX_SAFE_INTEGER})`;

/** SQL: builds the whole index from the log, up to the row in `RECORDS_INDEXED`. It needs the function `key_hash`. */
export const INDEX_ALL = `
  INSERT INTO record_places (part, hash, row)
  SELECT row / ${ROWS_OF_A_PART} AS part, key_hash(key) AS hash, row FROM record_log
  WHERE row <= (SELECT value FROM meta WHERE name = '${RECORDS_INDEXED}') ORDER BY part, hash;
`;

/**
 * SQL: the indexed states of one record, newest first, given the hash of its key and the key. It probes each part once,
 * the newest first, and reads one log row for each entry with that hash.
 */
export function placesOf(columns: string): string {
  return `
    WITH RECURSIVE parts (part) AS (
      SELECT max(part) FROM record_places
      UNION ALL
      SELECT (SELECT max(part) FROM record_places WHERE part < parts.part) FROM parts WHERE parts.part IS NOT NULL
      ORDER BY 1 DESC
    )
    SELECT ${columns} FROM parts
    CROSS JOIN record_places AS place ON place.part = parts.part AND place.hash = ?
    CROSS JOIN record_log AS log ON log.row = place.row AND log.key = ?
  `;
}
