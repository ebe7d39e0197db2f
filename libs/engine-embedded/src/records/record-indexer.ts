import type { StoredRecords } from './stored-records.js';
import type { WriteQueue } from '../writer/write-queue.js';

/** Index this many keys at a time: enough to share pages of the index, and sorted in a few milliseconds. */
const MANY = 8_192;
/** The entries of one request: other writes go in between. */
const ENTERED_AT_ONCE = 512;

/** Moves the keys of new records into the file's index, many at a time. */
export class RecordIndexer {
  private entering: Promise<void> | null = null;
  /** How many keys may be missing in the index before a pass begins. */
  private mostBehind = MANY;

  constructor(
    private readonly queue: WriteQueue,
    private readonly file: StoredRecords,
  ) {}

  /** Begins a pass if many keys are missing in the index. */
  enterMany(): void {
    if (this.file.behind < this.mostBehind || this.entering) return;
    // When the disk refuses, the next pass waits for that many more keys.
    this.mostBehind = this.file.behind + MANY;
    this.enter().catch(() => undefined);
  }

  /** Indexes every missing key. A pass that fails half-way is repeated whole, which does no harm. */
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
