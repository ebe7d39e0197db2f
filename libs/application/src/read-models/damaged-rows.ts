import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { ListedRow } from '@ports/read-models.port';

const MAX_ROWS_REMEMBERED = 1_000;

/** Leaves rows out of pages whose stored text is damaged: one of them would make the whole page invalid. Counts and logs them. */
@Injectable()
export class DamagedRows {
  private readonly log = new Logger('read models');
  private readonly leftOut = new Map<string, number>();
  /** Those that the log was told of. */
  private readonly told = new LRUCache<string, true>({ max: MAX_ROWS_REMEMBERED });

  /** By read model: how often a row was left out since the process started. */
  get counts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.leftOut);
  }

  /** The rows of a page without the damaged ones. */
  without(collection: string, rows: readonly ListedRow[]): readonly ListedRow[] {
    return rows.filter((row) => {
      if (row.text === null || isJson(row.text)) return true;
      this.note(collection, row);
      return false;
    });
  }

  private note(collection: string, { sortId }: ListedRow): void {
    this.leftOut.set(collection, (this.leftOut.get(collection) ?? 0) + 1);
    const key = `${collection} ${sortId}`;
    if (this.told.has(key)) return;
    this.told.set(key, true);
    this.log.error(
      `the row of ${collection} that began at ${sortId} is damaged, and lists leave it out: rebuild this read model`,
    );
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
