import type { RecordRequest } from './requests.js';
import type { Database } from '../sqlite.js';

const PURGED_AT_ONCE = 500;

/** Expiring records inside the writer's transaction; who may write was decided before. */
export class RecordWrites {
  private readonly put;
  private readonly remove;
  private readonly purge;

  constructor(db: Database) {
    // A record that is replaced stays in its place, beside its contemporaries: keys are random, pages are dear.
    this.put = db.prepare(`
      INSERT INTO records (key, value, version, expires_at) VALUES (?, ?, ?, ?) ON CONFLICT (key)
      DO UPDATE SET value = excluded.value, version = excluded.version, expires_at = excluded.expires_at`);
    this.remove = db.prepare('DELETE FROM records WHERE key = ?');
    this.purge = db.prepare(
      'DELETE FROM records WHERE key IN (SELECT key FROM records WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)',
    );
  }

  /** A purge answers whether more may have expired. */
  perform(request: RecordRequest): boolean | null {
    switch (request.kind) {
      case 'put-record':
        this.put.run(request.key, request.value, request.version, request.expiresAt);
        return null;
      case 'remove-record':
        this.remove.run(request.key);
        return null;
      case 'purge-records':
        return this.purge.run(request.now, PURGED_AT_ONCE).changes === PURGED_AT_ONCE;
    }
  }
}
