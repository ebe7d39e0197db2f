import type { Database } from '../database.js';
import type { IndexRecordsRequest, RecordRequest } from '../writer/requests.js';
import { keyHash } from './key-hash.js';
import { PART_OF_OLDEST, RECORDS_INDEXED, partOfRow, placesOf } from './record-parts.js';

const PURGED_AT_ONCE = 500;

/** Writes expiring records inside the writer's transaction. Who may write was decided before. */
export class RecordWrites {
  private readonly put;
  private readonly known;
  private readonly index;
  private readonly mark;
  private readonly expired;
  private readonly drop;
  private readonly dropFromIndex;
  private readonly dropForgotten;

  constructor(db: Database) {
    this.put = db.prepare('INSERT INTO record_log (row, key, value, version, expires_at) VALUES (?, ?, ?, ?, ?)');
    this.known = db.prepare(placesOf('log.row'));
    // An indexing pass that was cut short is repeated.
    this.index = db.prepare('INSERT OR IGNORE INTO record_places (part, hash, row) VALUES (?, ?, ?)');
    this.mark = db.prepare(`INSERT OR REPLACE INTO meta (name, value) VALUES ('${RECORDS_INDEXED}', ?)`);
    // A state that is not indexed yet stays: were the newest state gone, an older one would be found.
    this.expired = db.prepare(
      `SELECT key, row FROM record_log
       WHERE expires_at <= ? AND row <= (SELECT value FROM meta WHERE name = '${RECORDS_INDEXED}') ORDER BY expires_at LIMIT ?`,
    );
    this.drop = db.prepare('DELETE FROM record_log WHERE row = ?');
    this.dropFromIndex = db.prepare('DELETE FROM record_places WHERE part = ? AND hash = ? AND row = ?');
    // A record that was replaced during its indexing may leave an entry behind.
    this.dropForgotten = db.prepare(`DELETE FROM record_places WHERE part < ${PART_OF_OLDEST}`);
  }

  /** The answer to a purge is whether more records may have expired. */
  perform(request: RecordRequest): boolean | null {
    switch (request.kind) {
      case 'put-record':
        this.put.run(request.row, request.key, request.value, request.version, request.expiresAt);
        return null;
      case 'index-records':
        return this.note(request);
      case 'purge-records':
        return this.purge(request.now);
    }
  }

  private note({ hashes, rows, renewed, superseded, upTo }: IndexRecordsRequest): null {
    for (const row of superseded) this.drop.run(row);
    for (const [key, row] of renewed) this.dropOlder(key, row);
    for (const [at, row] of rows.entries()) this.index.run(partOfRow(row), hashes[at] ?? 0, row);
    if (upTo !== null) this.mark.run(upTo);
    return null;
  }

  private dropOlder(key: string, newest: number): void {
    const hash = keyHash(key);
    for (const [row] of this.known.all(hash, key) as unknown as [number][]) {
      if (row >= newest) continue;
      this.drop.run(row);
      this.dropFromIndex.run(partOfRow(row), hash, row);
    }
  }

  private purge(now: number): boolean {
    const expired = this.expired.all(now, PURGED_AT_ONCE) as unknown as [key: string, row: number][];
    for (const [, row] of expired) this.drop.run(row);
    const places = expired.map(([key, row]) => ({ part: partOfRow(row), hash: keyHash(key), row }));
    // Sorted, because neighbouring entries share pages of the index.
    places.sort((one, other) => one.part - other.part || one.hash - other.hash);
    for (const { part, hash, row } of places) this.dropFromIndex.run(part, hash, row);
    if (expired.length === PURGED_AT_ONCE) return true;
    this.dropForgotten.run();
    return false;
  }
}
