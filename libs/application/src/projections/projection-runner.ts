import { Logger } from '@nestjs/common';
import { pause, type Clock } from '@ports/clock.port';
import { isLoggedByEngine, START, type EventStore, type Position, type Recorded } from '@ports/event-store.port';
import { nameOf, failureReason } from '@ports/failure';
import type { ReadModels, RowsRefused, StoredRow } from '@ports/read-models.port';
import type { Projection } from '../read-models/projection.js';
import { LinkedAbort } from '../runtime/linked-abort.js';
import { Restarts } from '../runtime/restarts.js';
import { ProjectionPass, type PassOptions } from './projection-pass.js';
import type { RowTarget } from './row-writer.js';

export interface RunnerPorts {
  readonly store: EventStore;
  readonly readModels: ReadModels;
  readonly clock: Clock;
  /** No other program can use the rows: those of a newer version are made anew by this one. */
  readonly isAlone?: boolean;
}

/** For the live rows. A checkpoint without rows is written too: readers wait for events of its categories that change no row. */
const LIVE = { writeAt: 0, mostWaiting: 4_000, batchSize: 128, cachedRows: 4_000 };
/** The consequences of one event arrive within the brief rest; under load a row changes several times within the longer one. */
const REST = { brieflyMs: 20, manyRows: 16, longerMs: 500 };
const VERIFY_EVERY_MS = 5_000;
const FIRST_ROWS_WITHIN_MS = 10_000;

/** Keeps one read model up to date: runs one pass after another until it is told to stop. */
export class ProjectionRunner {
  readonly name: string;
  /** Events this process could not project. An event that a rebuild skips as well counts again. */
  skipped = 0;
  /** Rows that the store refused; counted as `skipped` is. */
  refused = 0;
  readonly restarts: Restarts;
  /** When rows were last written (epoch milliseconds). */
  lastProgressAt: number;
  private readonly log: Logger;
  private pass: ProjectionPass | null = null;
  /** Ends the present pass. */
  private end: LinkedAbort | null = null;
  private running: Promise<unknown> = Promise.resolve();
  private flushPosition: Position = START;
  private hold: Promise<void> | null = null;
  /** The rows do not show yet all that the log had when they were begun. */
  private isIncomplete = false;
  /** Whether a line of that was logged. */
  private isTold = false;
  private definedAt = 0;

  constructor(
    readonly projection: Projection,
    private readonly ports: RunnerPorts,
  ) {
    this.name = projection.schema.name;
    this.log = new Logger(`projection ${this.name}`);
    this.restarts = new Restarts(this.log, ports.clock);
    this.lastProgressAt = ports.clock.now();
  }

  /** Projects until the signal aborts. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      while (this.hold) await this.hold;
      if (signal.aborted) return;
      const end = (this.end = new LinkedAbort(signal));
      const failure = this.runPass(end).then(
        () => null,
        (error: unknown) => ({ error }),
      );
      this.running = failure;
      const failed = await failure;
      end.unlink();
      if (failed && !signal.aborted) await this.restarts.after(failed.error, signal);
    }
  }

  /** Defines the collection if the engine is available; otherwise the first pass does. */
  async define(): Promise<void> {
    try {
      await this.defineRows();
    } catch (error) {
      if (!isLoggedByEngine(error)) this.log.warn(`not defined yet: ${failureReason(error)}`);
    }
  }

  /** Begins rows anew that are not of this log, or of which some were lost. The log says so. */
  private async defineRows(): Promise<void> {
    const { store, readModels, clock, isAlone = false } = this.ports;
    const { schema } = this.projection;
    const isFirst = (await readModels.expect(schema)) === 'none';
    await readModels.define(schema, { overNewer: isAlone, log: store });
    if (this.isIncomplete || (await readModels.isRestored(this.name))) return;
    this.isIncomplete = true;
    this.definedAt = clock.elapsed();
    // The first rows of a new installation are there at once.
    if (isFirst) clock.after(FIRST_ROWS_WITHIN_MS, () => this.tellIncomplete());
    else this.tellIncomplete();
  }

  private tellIncomplete(): void {
    if (!this.isIncomplete || this.isTold) return;
    this.isTold = true;
    this.log.warn('rows are projected anew; until that is done their lists answer 503');
  }

  /** Calls `work` with the live rows' checkpoint while no pass runs. The next pass starts from the checkpoint that is stored by then. */
  async whileHeld<T>(work: (checkpoint: Position) => Promise<T>): Promise<T> {
    let release = () => {};
    this.hold = new Promise((resolve) => (release = resolve));
    try {
      this.end?.abort();
      await this.running;
      return await work(await this.checkpoint());
    } finally {
      this.hold = null;
      release();
    }
  }

  /** A reader of this process waits for everything up to `position`. */
  flushUpTo(position: Position): void {
    if (position > this.flushPosition) this.flushPosition = position;
    this.pass?.flushUpTo(position);
  }

  /** How far the stored rows are. */
  checkpoint(): Promise<Position> {
    return this.ports.readModels.checkpoint(this.name);
  }

  /** Logs an event that is skipped for good, without its content. */
  private skip({ id, stream, revision }: Recorded, error: unknown): void {
    this.skipped++;
    this.log.error(`skipped event ${id} (${stream}, revision ${revision}): ${nameOf(error)}`);
  }

  private refuse({ id, position }: StoredRow, { reason }: RowsRefused): void {
    this.refused++;
    this.log.error(`row ${id} is not kept as of ${position}, and shows what it was before: ${reason}`);
  }

  private async runPass(end: LinkedAbort): Promise<void> {
    const { store, readModels } = this.ports;
    await this.defineRows();
    const { shared } = this.projection.schema;
    const target: RowTarget = {
      getMany: (ids) => readModels.getMany(this.name, ids),
      getShared: (ids) => readModels.getMany(shared?.name ?? this.name, ids),
      apply: (rows, checkpoint, shared) => readModels.apply(this.name, rows, checkpoint, shared),
    };
    const from = await this.checkpoint();
    const pass = new ProjectionPass(store, this.projection, target, from, this.options(), end.signal);
    this.pass = pass;
    pass.flushUpTo(this.flushPosition);
    const verifying = this.verify(pass, end);
    try {
      await pass.run();
      if (!end.signal.aborted) throw new Error('the feed ended');
    } finally {
      end.abort();
      await verifying;
    }
  }

  private options(): PassOptions {
    return {
      ...LIVE,
      rest: { clock: this.ports.clock, ...REST },
      onSkipped: (record, error) => this.skip(record, error),
      onRefused: (row, error) => this.refuse(row, error),
      onWritten: () => {
        this.restarts.succeeded();
        this.lastProgressAt = this.ports.clock.now();
        if (this.isIncomplete) void this.noteRestored();
      },
    };
  }

  private async noteRestored(): Promise<void> {
    const isRestored = await this.ports.readModels.isRestored(this.name).catch(() => false);
    if (isRestored && this.isTold) {
      this.isTold = false;
      const made = { rows: this.pass?.rowsBegun ?? 0, duration_ms: Math.round(this.ports.clock.elapsed() - this.definedAt) };
      this.log.warn('rows show all that the log told when they were begun; their lists answer again', made);
    }
    this.isIncomplete &&= !isRestored;
  }

  /**
   * A database can lose rows behind the process's back, by a drop, a wipe or a rollback, and a log can be restored from an older
   * copy. Then the cached rows are wrong: the pass ends.
   */
  private async verify(pass: ProjectionPass, end: LinkedAbort): Promise<void> {
    while (!end.signal.aborted) {
      await pause(this.ports.clock, VERIFY_EVERY_MS, end.signal);
      if (end.signal.aborted) return;
      const reason = await this.wrongAt(pass.position).catch(() => null);
      if (reason === null) continue;
      this.log.warn(`${reason}: starting again from what is stored`);
      this.restarts.count++;
      end.abort();
    }
  }

  /** Why the stored rows, into which events up to `written` were projected, are wrong; null where they are not. */
  private async wrongAt(written: Position): Promise<string | null> {
    const stored = await this.checkpoint();
    if (stored < written) return `rows are at ${stored} though ${written} was written`;
    return (await this.ports.store.holds(stored)) ? null : `rows are at ${stored}, which is no place in this log`;
  }
}
