import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { ReadModels, type ListedRow, type SortKey } from '@ports/read-models.port';

const MAX_ROWS_REMEMBERED = 1_000;

/**
 * Counts and logs rows that are left out of answers because what is stored of them is damaged. The engine reports rows that it cannot
 * read. Damaged texts of lists are found here: one of them would make a whole page invalid JSON.
 */
@Injectable()
export class DamagedRows {
  private readonly log = new Logger('read models');
  private readonly leftOut = new Map<string, number>();
  /** Rows that were logged. */
  private readonly told = new LRUCache<string, true>({ max: MAX_ROWS_REMEMBERED });

  constructor(readModels: ReadModels) {
    readModels.onDamaged = (collection, row) => this.note(collection, row);
  }

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

  private note(collection: string, { sortId }: SortKey): void {
    this.leftOut.set(collection, (this.leftOut.get(collection) ?? 0) + 1);
    const key = `${collection} ${sortId}`;
    if (this.told.has(key)) return;
    this.told.set(key, true);
    this.log.error(`the row of ${collection} that began at ${sortId} is damaged, and left out: rebuild this read model`);
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
