import { StoreDamaged, StoreUnavailable } from '@ports/event-store.port';
import type { Database, Reading, Statement } from './database.js';
import { storeTrouble } from './writer/store-trouble.js';

/** The connection for all reads. Throws `StoreUnavailable` when the disk fails, `StoreDamaged` when the file is damaged. */
export class StoreReader implements Reading {
  constructor(
    private readonly db: Database,
    private readonly onDamage: (reason: string) => void,
  ) {}

  prepare(sql: string): Statement {
    const statement = this.attempt(() => this.db.prepare(sql));
    return {
      get: (...values: Parameters<Statement['get']>) => this.attempt(() => statement.get(...values)),
      all: (...values: Parameters<Statement['all']>) => this.attempt(() => statement.all(...values)),
      run: (...values: Parameters<Statement['run']>) => this.attempt(() => statement.run(...values)),
    };
  }

  close(): void {
    this.db.close();
  }

  private attempt<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      const trouble = storeTrouble(error);
      if (trouble === undefined) throw error;
      const { message } = error as Error;
      if (trouble === 'away') throw new StoreUnavailable(`the store cannot be read: ${message}`);
      this.onDamage(message);
      throw new StoreDamaged(message);
    }
  }
}
