import { START, type Position } from '@ports/event-store.port';
import type { Database, Statement } from '../database.js';

/** The log's head when the rows of a collection were begun. */
export class ReplacedRows {
  private readonly find: Statement;
  private readonly insert: Statement;

  constructor(db: Database) {
    this.find = db.prepare('SELECT checkpoint FROM replaced_rows WHERE collection = ?');
    this.insert = db.prepare(
      `INSERT INTO replaced_rows (collection, checkpoint) VALUES (?, ?)
       ON CONFLICT (collection) DO UPDATE SET checkpoint = excluded.checkpoint`,
    );
  }

  note(collection: string, checkpoint: Position): void {
    this.insert.run(collection, checkpoint);
  }

  checkpoint(collection: string): Position {
    const [checkpoint] = (this.find.get(collection) ?? [START]) as unknown as [Position];
    return checkpoint;
  }
}
