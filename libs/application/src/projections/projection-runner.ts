import { Logger } from '@nestjs/common';
import { pause, type Clock } from '@ports/clock.port';
import { START, type EventStore, type Position, type Recorded } from '@ports/event-store.port';
import { nameOf, reasonOf } from '@ports/failure';
import type { ReadModels, RowsRefused, StoredRow } from '@ports/read-models.port';
import type { Projection } from '../read-models/projection.js';
import { LinkedAbort } from '../runtime/linked-abort.js';
import { Restarts } from '../runtime/restarts.js';
import { Following, type FollowingOptions, type RowTarget } from './following.js';

export interface RunnerPorts {
  readonly store: EventStore;
  readonly readModels: ReadModels;
  readonly clock: Clock;
}

/** Live writing: even a mere checkpoint, since readers wait for it. */
const LIVE = { writeAt: 0, mostWaiting: 4_000, writtenAtOnce: 128, remembered: 4_000 };
/** What one event sets off is over within the brief rest; under load a row changes several times within the longer one. */
const REST = { brieflyMs: 20, manyRows: 16, longerMs: 500 };
/** How often it is checked that the rows we have written are still there. */
const VERIFY_MS = 5_000;

/** Keeps one read model up to date and never stops trying. */
export class ProjectionRunner {
  readonly name: string;
  /** Events this process could not project; once more for each rebuild that could not either, as with `refused`. */
  skipped = 0;
  /** Rows that the store did not take: each shows what it was before. */
  refused = 0;
  /** From the stored checkpoint. */
  readonly restarts: Restarts;
  /** Epoch milliseconds. */
  lastProgressAt: number;
  private readonly log: Logger;
  private pass: Pass | null = null;
  private following: Following | null = null;
  private wanted: Position = START;
  private hold: Promise<void> | null = null;
  /** Rows are missing that were there before an upgrade. */
  private isIncomplete = false;

  constructor(
    readonly projection: Projection,
    private readonly ports: RunnerPorts,
  ) {
    this.name = projection.schema.name;
    this.log = new Logger(`projection ${this.name}`);
    this.restarts = new Restarts(this.log, ports.clock);
    this.lastProgressAt = ports.clock.now();
  }

  /** Follows the feed until the signal aborts. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      while (this.hold) await this.hold;
      if (signal.aborted) return;
      const pass = (this.pass = new Pass(signal));
      const error = await this.follow(pass).catch((failure: unknown) => failure ?? new Error('unknown'));
      pass.unlink();
      pass.finish();
      if (error && !signal.aborted) await this.restarts.after(error, signal);
    }
  }

  /** Makes room for the rows where the engine can be reached; a pass tries again. */
  async define(): Promise<void> {
    const { readModels } = this.ports;
    try {
      await readModels.define(this.projection.schema);
      this.isIncomplete = !(await readModels.isRestored(this.name));
      if (this.isIncomplete) this.log.warn('rows are projected anew; until that is done their lists answer 503');
    } catch (error) {
      this.log.warn(`not defined yet: ${reasonOf(error)}`);
    }
  }

  /** Does `work` while nothing writes the live rows, told how far they are; then goes on from the checkpoint that is stored by then. */
  async whileHeld<T>(work: (checkpoint: Position) => Promise<T>): Promise<T> {
    let release = () => {};
    this.hold = new Promise((resolve) => (release = resolve));
    try {
      await this.pass?.stop();
      return await work(await this.checkpoint());
    } finally {
      this.hold = null;
      release();
    }
  }

  /** A reader of this process waits for what lies up to `position`. */
  hurry(position: Position): void {
    if (position > this.wanted) this.wanted = position;
    this.following?.hurry(position);
  }

  /** How far the stored rows are. */
  checkpoint(): Promise<Position> {
    return this.ports.readModels.checkpoint(this.name);
  }

  /** Notes an event that is skipped for good. Its content stays out of the log. */
  private skip({ id, stream, revision }: Recorded, error: unknown): void {
    this.skipped++;
    this.log.error(`skipped event ${id} (${stream}, revision ${revision}): ${nameOf(error)}`);
  }

  /** Notes a row that stays as it was. */
  private setAside({ id, position }: StoredRow, { reason }: RowsRefused): void {
    this.refused++;
    this.log.error(`row ${id} is not kept as of ${position}, and shows what it was before: ${reason}`);
  }

  private async follow(pass: Pass): Promise<void> {
    const { store, readModels } = this.ports;
    await readModels.define(this.projection.schema);
    const target: RowTarget = {
      getMany: (ids) => readModels.getMany(this.name, ids),
      apply: (rows, checkpoint) => readModels.apply(this.name, rows, checkpoint),
    };
    const from = await this.checkpoint();
    const following = new Following(store, this.projection, target, from, this.options(), pass.signal);
    this.following = following;
    following.hurry(this.wanted);
    const verifying = this.verify(following, pass);
    try {
      await following.run();
      if (!pass.signal.aborted) throw new Error('the feed ended');
    } finally {
      pass.abort();
      await verifying;
    }
  }

  private options(): FollowingOptions {
    return {
      ...LIVE,
      rest: { clock: this.ports.clock, ...REST },
      onSkipped: (record, error) => this.skip(record, error),
      onRefused: (row, error) => this.setAside(row, error),
      onWritten: () => {
        this.restarts.succeeded();
        this.lastProgressAt = this.ports.clock.now();
        if (this.isIncomplete) void this.noteRestored();
      },
    };
  }

  private async noteRestored(): Promise<void> {
    const isRestored = await this.ports.readModels.isRestored(this.name).catch(() => false);
    if (isRestored && this.isIncomplete) this.log.warn('rows show all that they showed before; their lists answer again');
    this.isIncomplete &&= !isRestored;
  }

  /** Rows can be wiped, or rolled back by the database, behind our back: then memory is worth nothing and the pass ends. */
  private async verify(following: Following, pass: Pass): Promise<void> {
    while (!pass.signal.aborted) {
      await pause(this.ports.clock, VERIFY_MS, pass.signal);
      if (pass.signal.aborted) return;
      const written = following.position;
      const stored = await this.checkpoint().catch(() => written);
      if (stored >= written) continue;
      this.log.warn(`rows are at ${stored} though ${written} was written: starting again from there`);
      this.restarts.count++;
      pass.abort();
    }
  }
}

/** One stretch of following, which can be ended from outside and waited for. */
class Pass extends LinkedAbort {
  finish: () => void = () => {};
  private readonly finished = new Promise<void>((resolve) => (this.finish = resolve));

  /** Resolves once nothing is written any more. */
  stop(): Promise<void> {
    this.abort();
    return this.finished;
  }
}
