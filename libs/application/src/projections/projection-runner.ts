import { Logger } from '@nestjs/common';
import { pause, type Clock } from '@ports/clock.port';
import { isLoggedByEngine, START, type EventStore, type Position } from '@ports/event-store.port';
import { failureReason } from '@ports/failure';
import { NO_TRACER, type Tracer } from '@ports/tracer.port';
import type { ReadModels } from '@ports/read-models.port';
import type { Projection } from '../read-models/projection.js';
import { LinkedAbort } from '../runtime/linked-abort.js';
import { Restarts } from '../runtime/restarts.js';
import type { SkipRecorder } from '../skipped-events/skip-recorder.js';
import { PassSkips } from './pass-skips.js';
import { ProjectionPass, type PassOptions } from './projection-pass.js';
import type { RowTarget } from './row-writer.js';
import { WriteTraces } from './write-traces.js';

export abstract class RunnerPorts {
  abstract readonly store: EventStore;
  abstract readonly readModels: ReadModels;
  abstract readonly clock: Clock;
  readonly tracer?: Tracer;
  /** Without it, what is skipped is only counted. */
  readonly skips?: SkipRecorder;
}

/** A checkpoint without rows is written too: readers wait for events of its categories that change no row. */
const LIVE = { writeAt: 0, mostWaiting: 4_000, batchSize: 128, cachedRows: 4_000 };
/** One event's effects arrive within the brief rest; under load a row changes several times within the longer one. */
const REST = { brieflyMs: 20, manyRows: 16, longerMs: 500 };
const VERIFY_EVERY_MS = 5_000;
const FIRST_ROWS_WITHIN_MS = 10_000;

export class ProjectionRunner {
  readonly name: string;
  /** Events that could not be projected. A rebuild that skips the same event counts it again. */
  skipped = 0;
  refused = 0;
  readonly restarts: Restarts;
  lastProgressAt: number;
  private readonly log: Logger;
  private readonly traces: WriteTraces;
  private pass: ProjectionPass | null = null;
  private end: LinkedAbort | null = null;
  private running: Promise<unknown> = Promise.resolve();
  private flushPosition: Position = START;
  private hold: Promise<void> | null = null;
  /** The rows lack events that were in the log when they were created. */
  private isIncomplete = false;
  private isLogged = false;
  private definedAt = 0;
  /** Of a pass that makes all rows. */
  private skipsFromStart: PassSkips | null = null;

  constructor(
    readonly projection: Projection,
    private readonly ports: RunnerPorts,
  ) {
    this.name = projection.schema.name;
    this.log = new Logger(`projection ${this.name}`);
    this.restarts = new Restarts(this.log, ports.clock);
    this.traces = new WriteTraces(ports.tracer ?? NO_TRACER, this.name);
    this.lastProgressAt = ports.clock.now();
  }

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

  /** Rebuilds rows that belong to another log or were partly lost, and logs it. */
  private async defineRows(): Promise<void> {
    const { store, readModels, clock } = this.ports;
    const { schema } = this.projection;
    const isFirst = (await readModels.expect(schema)) === 'none';
    await readModels.define(schema, { log: store });
    if (this.isIncomplete || (await readModels.isRestored(this.name))) return;
    this.isIncomplete = true;
    this.definedAt = clock.elapsed();
    // The first rows of a new installation are there at once.
    if (isFirst) clock.after(FIRST_ROWS_WITHIN_MS, () => this.logIncomplete());
    else this.logIncomplete();
  }

  private logIncomplete(): void {
    if (!this.isIncomplete || this.isLogged) return;
    this.isLogged = true;
    this.log.warn('rows are projected anew; until that is done their lists answer 503');
  }

  /** Calls `work` with the checkpoint while no pass runs. The next pass starts from the checkpoint stored by then. */
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

  flushUpTo(position: Position): void {
    if (position > this.flushPosition) this.flushPosition = position;
    this.pass?.flushUpTo(position);
  }

  checkpoint(): Promise<Position> {
    return this.ports.readModels.checkpoint(this.name);
  }

  /** For what a pass over the log skips. */
  newSkips(level: 'error' | 'warn'): PassSkips {
    return new PassSkips(this, this.ports, this.log, level);
  }

  private async runPass(end: LinkedAbort): Promise<void> {
    const { store, readModels } = this.ports;
    await this.defineRows();
    const { shared } = this.projection.schema;
    const target: RowTarget = {
      getMany: (ids) => readModels.getMany(this.name, ids),
      getShared: (ids) => readModels.getMany(shared?.name ?? this.name, ids),
      apply: (rows, checkpoint, shared) =>
        this.traces.write(rows.length, () => readModels.apply(this.name, rows, checkpoint, shared)),
    };
    const from = await this.checkpoint();
    const skips = this.newSkips('error');
    this.skipsFromStart = from === START ? skips : null;
    const pass = new ProjectionPass(store, this.projection, target, from, this.options(skips), end.signal);
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

  private options(skips: PassSkips): PassOptions {
    return {
      ...LIVE,
      rest: { clock: this.ports.clock, ...REST },
      onSkipped: (skipped) => skips.skip(skipped),
      onRead: (events) => this.traces.note(events),
      onRefused: (row, error) => skips.refuse(row, error),
      onWritten: () => {
        this.restarts.succeeded();
        this.lastProgressAt = this.ports.clock.now();
        if (this.isIncomplete) void this.noteRestored();
      },
    };
  }

  private async noteRestored(): Promise<void> {
    const [skips, upTo] = [this.skipsFromStart, this.pass?.position ?? START];
    const isRestored = await this.ports.readModels.isRestored(this.name).catch(() => false);
    // What cannot be resolved now stays listed, and a retry resolves it.
    if (isRestored) await skips?.resolveOthers(upTo).catch(() => undefined);
    if (isRestored && this.isLogged) {
      this.isLogged = false;
      const made = { rows: this.pass?.rowsBegun ?? 0, duration_ms: Math.round(this.ports.clock.elapsed() - this.definedAt) };
      this.log.warn('rows are complete; their lists answer again', made);
    }
    this.isIncomplete &&= !isRestored;
  }

  /** After a drop, wipe or rollback of the database, or an older log, the cached rows are wrong: end the pass. */
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

  /** Why the stored rows are wrong, if they are. `written`: events up to here were projected. */
  private async wrongAt(written: Position): Promise<string | null> {
    const stored = await this.checkpoint();
    if (stored < written) return `rows are at ${stored} though ${written} was written`;
    return (await this.ports.store.holds(stored)) ? null : `rows are at ${stored}, which is no place in this log`;
  }
}
