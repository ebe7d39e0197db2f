import { Waiter } from '@kit/waiter';
import { pause, type Clock } from '@ports/clock.port';
import { START, type Position } from '@ports/event-store.port';
import { RowsRefused, type StoredRow } from '@ports/read-models.port';
import { LinkedAbort } from '../runtime/linked-abort.js';
import type { RowFold } from './row-fold.js';
import { writeAccepted } from './write-accepted.js';

export interface RowTarget {
  getMany(ids: readonly string[]): Promise<readonly (StoredRow | null)[]>;
  getShared(ids: readonly string[]): Promise<readonly (StoredRow | null)[]>;
  apply(rows: readonly StoredRow[], checkpoint: Position, shared: readonly StoredRow[]): Promise<void>;
}

export interface RowWriterOptions {
  /** Writes once this many rows have changed, or when a flush is requested; 0 also writes a checkpoint without rows. */
  readonly writeAt: number;
  /** Reading pauses while more changed rows than this wait to be written. */
  readonly mostWaiting: number;
  /** Rows per request to the store. Larger under a backlog: other requests of the process come in between. */
  readonly batchSize: number;
  readonly rest?: Rest;
  /** Called for a row that the store will never accept. The stored row stays as it was until a later event changes it. */
  readonly onRefused: (row: StoredRow, error: RowsRefused) => Promise<void> | void;
  readonly onWritten?: (upTo: Position) => void;
}

/**
 * The pause before a write, so that repeated changes of a row are written once: `longerMs` after a write of `manyRows` and before a
 * checkpoint without rows, else `brieflyMs`. A flush or a full fold ends it.
 */
interface Rest {
  readonly clock: Clock;
  readonly brieflyMs: number;
  readonly manyRows: number;
  readonly longerMs: number;
}

const MAX_ROWS_PER_BATCH = 512;

/** One write at a time, to keep the order. The fold continues meanwhile, so a busier feed makes larger writes. */
export class RowWriter {
  position: Position;
  private foldedUpTo: Position;
  private requestedUpTo: Position = START;
  private endRest: () => void = () => {};
  /** Resting before a checkpoint without rows: changed rows end this rest. */
  private isIdling = false;
  private wroteMany = false;
  private writing: Promise<void> | null = null;
  private failure: { readonly error: unknown } | null = null;
  private isClosed = false;
  private readonly waiter = new Waiter();

  constructor(
    private readonly fold: RowFold,
    private readonly target: RowTarget,
    from: Position,
    private readonly options: RowWriterOptions,
    /** Ends the pass. Aborted here when a write fails, elsewhere at any time. */
    private readonly end: Pick<AbortController, 'signal' | 'abort'>,
  ) {
    this.position = from;
    this.foldedUpTo = from;
  }

  get hasFailed(): boolean {
    return this.failure !== null;
  }

  /** Every event up to here is folded. Resolves when the fold may take more. */
  async folded(upTo: Position): Promise<void> {
    if (upTo > this.foldedUpTo) this.foldedUpTo = upTo;
    if (this.fold.size > 0 && this.isIdling) this.endRest();
    this.writeIfDue();
    if (!this.isFull) return;
    this.endRest();
    await this.writing;
  }

  flushUpTo(position: Position): void {
    if (position <= this.requestedUpTo) return;
    this.requestedUpTo = position;
    if (this.position < position) this.endRest();
    this.writeIfDue();
  }

  async flushed(position: Position): Promise<void> {
    const isWritten = () => this.position >= position;
    if (isWritten()) return;
    if (this.isClosed) throw this.reasonToEnd;
    this.flushUpTo(position);
    if (!(await this.waiter.until(isWritten))) throw this.reasonToEnd;
  }

  fail(error: unknown): void {
    this.failure ??= { error };
  }

  /** Writes what the fold still holds, unless something failed. Rejects with the failure. */
  async close(): Promise<void> {
    while (this.writing || this.isDue) {
      if (!this.writing) this.begin();
      await this.writing;
    }
    this.isClosed = true;
    this.waiter.cancelAll();
    if (this.failure) throw this.failure.error;
  }

  private get reasonToEnd(): unknown {
    return this.failure ? this.failure.error : new Error('the pass has ended');
  }

  private get isFull(): boolean {
    return this.fold.size >= this.options.mostWaiting;
  }

  private get isDue(): boolean {
    return !this.failure && this.foldedUpTo > this.position;
  }

  private writeIfDue(): void {
    const isRequested = this.position < this.requestedUpTo && this.requestedUpTo <= this.foldedUpTo;
    if (this.isDue && (isRequested || this.fold.size >= this.options.writeAt)) this.begin();
  }

  private begin(): void {
    this.writing ??= this.restAndWrite().finally(() => {
      this.writing = null;
      this.writeIfDue();
    });
  }

  private async restAndWrite(): Promise<void> {
    const { rest } = this.options;
    if (rest) {
      this.isIdling = this.fold.size === 0;
      if (this.isIdling) await this.restFor(rest.clock, rest.longerMs);
      this.isIdling = false;
      if (this.fold.size > 0) await this.restFor(rest.clock, this.wroteMany ? rest.longerMs : rest.brieflyMs);
      this.wroteMany = this.fold.size >= rest.manyRows;
    }
    if (!this.failure) await this.write();
  }

  private async restFor(clock: Clock, ms: number): Promise<void> {
    if (this.position < this.requestedUpTo || this.isFull || this.end.signal.aborted) return;
    const resting = new LinkedAbort(this.end.signal);
    this.endRest = resting.abort;
    await pause(clock, ms, resting.signal);
    resting.unlink();
  }

  /** Never rejects: a failure ends the pass. */
  private async write(): Promise<void> {
    const upTo = this.foldedUpTo;
    try {
      for (const { rows, shared, isLast } of this.fold.nextBatches(this.batchSize)) {
        await this.apply(rows, shared, isLast ? upTo : this.position);
      }
    } catch (error) {
      this.fail(error);
      this.end.abort();
      return;
    }
    this.fold.markWritten();
    this.position = upTo;
    this.options.onWritten?.(upTo);
    this.waiter.wake();
  }

  /** Requests queue behind the store's other writes, so small ones would fall ever further behind a busy feed. */
  private get batchSize(): number {
    const eighth = Math.ceil(this.fold.size / 8);
    return Math.max(this.options.batchSize, Math.min(eighth, MAX_ROWS_PER_BATCH));
  }

  private async apply(rows: readonly StoredRow[], shared: readonly StoredRow[], upTo: Position): Promise<void> {
    try {
      await this.target.apply(rows, upTo, shared);
    } catch (error) {
      if (!(error instanceof RowsRefused)) throw error;
      const { target, options, position } = this;
      await writeAccepted(rows, position, (part, at) => target.apply(part, at, []), options.onRefused);
      if (shared.length > 0) await writeAccepted(shared, position, (part, at) => target.apply([], at, part), options.onRefused);
      await target.apply([], upTo, []);
    }
  }
}
