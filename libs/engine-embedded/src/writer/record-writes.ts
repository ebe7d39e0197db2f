import type { IndexRecordsRequest, RecordRequest } from './requests.js';
import { RECORDS_INDEXED } from './store-file.js';
import type { Database } from '../sqlite.js';

const PURGED_AT_ONCE = 500;

/** Expiring records inside the writer's transaction; who may write was decided before. */
export class RecordWrites {
  private readonly put;
  private readonly indexed;
  private readonly index;
  private readonly mark;
  private readonly expired;
  private readonly drop;
  private readonly dropFromIndex;

  constructor(db: Database) {
    this.put = db.prepare('INSERT INTO record_log (row, key, value, version, expires_at) VALUES (?, ?, ?, ?, ?)');
    this.indexed = db.prepare('SELECT row FROM record_index WHERE key = ?');
    this.index = db.prepare(
      'INSERT INTO record_index (key, row) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET row = excluded.row',
    );
    this.mark = db.prepare(`INSERT OR REPLACE INTO meta (name, value) VALUES ('${RECORDS_INDEXED}', ?)`);
    // What the index does not know yet stays: behind a newest state that was gone an older one would be found.
    this.expired = db.prepare(
      `SELECT key, row FROM record_log
       WHERE expires_at <= ? AND row <= (SELECT value FROM meta WHERE name = '${RECORDS_INDEXED}') ORDER BY expires_at LIMIT ?`,
    );
    this.drop = db.prepare('DELETE FROM record_log WHERE row = ?');
    this.dropFromIndex = db.prepare('DELETE FROM record_index WHERE key = ? AND row = ?');
  }

  /** A purge answers whether more may have expired. */
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

  private note({ entries, superseded, upTo }: IndexRecordsRequest): null {
    for (const row of superseded) this.drop.run(row);
    for (const [key, row] of entries) {
      const [older] = (this.indexed.get(key) as unknown as [number] | undefined) ?? [];
      // A pass that was cut short is told again.
      if (older !== undefined && older < row) this.drop.run(older);
      this.index.run(key, row);
    }
    if (upTo !== null) this.mark.run(upTo);
    return null;
  }

  private purge(now: number): boolean {
    const expired = this.expired.all(now, PURGED_AT_ONCE) as unknown as [key: string, row: number][];
    for (const [, row] of expired) this.drop.run(row);
    // Neighbours in the index share their pages.
    for (const [key, row] of expired.toSorted(([one], [other]) => (one < other ? -1 : 1))) this.dropFromIndex.run(key, row);
    return expired.length === PURGED_AT_ONCE;
  }
}
