import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { ListedRow } from '@ports/read-models.port';

const MAX_ROWS_REMEMBERED = 1_000;

/** Leaves rows with damaged text out of pages, counts and logs them: one would make the whole page invalid. */
@Injectable()
export class DamagedRows {
  private readonly log = new Logger('read models');
  private readonly leftOut = new Map<string, number>();
  private readonly logged = new LRUCache<string, true>({ max: MAX_ROWS_REMEMBERED });

  get counts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.leftOut);
  }

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
    if (this.logged.has(key)) return;
    this.logged.set(key, true);
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
