import type { StoredRecords } from './stored-records.js';
import type { WriteQueue } from '../writer/write-queue.js';

/** Many share a page of the index then, and it takes the main thread some milliseconds to sort them. */
const MANY = 8_192;
/** What is written meanwhile comes between. */
const ENTERED_AT_ONCE = 512;

/** Tells the file's index of the keys of records, many at a time. */
export class RecordIndexer {
  private entering: Promise<void> | null = null;
  /** How many keys the index may be behind before it is told. */
  private mostBehind = MANY;

  constructor(
    private readonly queue: WriteQueue,
    private readonly file: StoredRecords,
  ) {}

  /** Once there are many to enter. */
  enterMany(): void {
    if (this.file.behind < this.mostBehind || this.entering) return;
    // When the disk refuses, that many more may come before it is asked again.
    this.mostBehind = this.file.behind + MANY;
    this.enter().catch(() => undefined);
  }

  /** All that the index does not know. What is entered by halves is entered again: nothing is lost by it. */
  enter(): Promise<void> {
    this.entering ??= this.pass().finally(() => (this.entering = null));
    return this.entering;
  }

  private async pass(): Promise<void> {
    const pass = this.file.forIndex();
    const { hashes, rows, renewed, superseded, upTo } = pass;
    const count = Math.max(rows.length, superseded.length);
    for (let from = 0; from < count; from += ENTERED_AT_ONCE) {
      const to = from + ENTERED_AT_ONCE;
      await this.queue.ask({
        kind: 'index-records',
        hashes: hashes.slice(from, to),
        rows: rows.slice(from, to),
        renewed: renewed.slice(from, to),
        superseded: superseded.slice(from, to),
        upTo: to < count ? null : upTo,
      });
    }
    this.file.indexed(pass);
    this.mostBehind = MANY;
  }
}
