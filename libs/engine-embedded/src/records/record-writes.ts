import type { Database } from '../database.js';
import type { RecordRequest } from '../writer/requests.js';

const PURGED_AT_ONCE = 500;

/** Writes expiring records in the writer's transaction; `PendingRecords` has decided who may. */
export class RecordWrites {
  private readonly put;
  private readonly remove;
  private readonly purge;

  constructor(db: Database) {
    // An update keeps the row: REPLACE would write the indexes again.
    this.put = db.prepare(
      `INSERT INTO expiring_records (key, value, version, expires_at) VALUES (?, ?, ?, ?) ON CONFLICT (key) DO UPDATE
       SET value = excluded.value, version = excluded.version, expires_at = excluded.expires_at`,
    );
    this.remove = db.prepare('DELETE FROM expiring_records WHERE key = ?');
    this.purge = db.prepare(
      `DELETE FROM expiring_records WHERE key IN
       (SELECT key FROM expiring_records WHERE expires_at <= ? ORDER BY expires_at LIMIT ${PURGED_AT_ONCE})`,
    );
  }

  /** A purge answers whether more records may have expired. */
  perform(request: RecordRequest): boolean | null {
    switch (request.kind) {
      case 'put-record':
        this.put.run(request.key, request.value, request.version, request.expiresAt);
        return null;
      case 'remove-record':
        this.remove.run(request.key);
        return null;
      case 'purge-records':
        return this.purge.run(request.now).changes === PURGED_AT_ONCE;
    }
  }
}
