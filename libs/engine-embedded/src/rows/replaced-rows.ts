import { START, type Position } from '@ports/event-store.port';
import type { Database, Statement } from '../database.js';

/** The checkpoint of the rows that a collection's new rows replace. */
export class ReplacedRows {
  private readonly find: Statement;
  private readonly insert: Statement;

  constructor(db: Database) {
    this.find = db.prepare('SELECT checkpoint FROM replaced_rows WHERE collection = ?');
    this.insert = db.prepare(
      `INSERT INTO replaced_rows (collection, checkpoint) VALUES (?, ?)
       ON CONFLICT (collection) DO UPDATE SET checkpoint = max(checkpoint, excluded.checkpoint)`,
    );
  }

  /** Keeps the furthest checkpoint: rows that are replaced twice may not have caught up in between. */
  note(collection: string, checkpoint: Position): void {
    this.insert.run(collection, checkpoint);
  }

  checkpoint(collection: string): Position {
    const [checkpoint] = (this.find.get(collection) ?? [START]) as unknown as [Position];
    return checkpoint;
  }
}
