import { START, type Position } from '@ports/event-store.port';
import type { Database, Statement } from '../sqlite.js';

/** How far those rows were in whose place a collection's rows are made anew. */
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

  /** Of several in a row, those that were furthest: the later ones may not have been as far when they were replaced. */
  note(collection: string, checkpoint: Position): void {
    this.insert.run(collection, checkpoint);
  }

  checkpoint(collection: string): Position {
    const [checkpoint] = (this.find.get(collection) ?? [START]) as unknown as [Position];
    return checkpoint;
  }
}
