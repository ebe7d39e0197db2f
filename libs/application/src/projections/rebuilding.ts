import { Logger } from '@nestjs/common';
import { START, type Position } from '@ports/event-store.port';
import { reasonOf } from '@ports/failure';
import type { Rebuild } from '@ports/read-models.port';
import { LinkedAbort } from '../runtime/linked-abort.js';
import { Following, type FollowingOptions, type RowTarget } from './following.js';
import type { ProjectionRunner, RunnerPorts } from './projection-runner.js';

/** Bulk: seldom, and many rows then, though never so many at once that commands wait for them. */
const BULK = { writeAt: 5_000, mostWaiting: 10_000, writtenAtOnce: 500, remembered: 20_000 };
/** The live rows may be held so long: readers wait longer than that for a read model that lags. */
const SHORT_MS = 500;
/** After so many rounds one must be shorter than the one before by so much for another to be worth it. */
const ROUNDS = 4;
const SHORTER = 0.75;

/** Builds a read model anew beside the live one and puts it in its place. */
export class Rebuilding {
  state: 'running' | 'done' | 'failed' = 'running';
  /** Resolves once the new rows are live. Rejects, everything being as it was, when something is out of reach or the signal aborts. */
  readonly finished: Promise<void>;
  private reached: Position = START;
  private target: Position = START;
  private readonly log: Logger;

  constructor(
    private readonly runner: ProjectionRunner,
    private readonly ports: RunnerPorts,
    signal: AbortSignal,
  ) {
    this.log = new Logger(`projection ${runner.name}`);
    this.finished = this.run(signal);
    this.finished.catch(() => undefined);
  }

  /** How much of the log is done, 0 to 100. */
  get percent(): number {
    if (this.state === 'done') return 100;
    if (this.target === START) return 0;
    return Math.min(99, Number((BigInt(this.reached) * 100n) / BigInt(this.target)));
  }

  private async run(signal: AbortSignal): Promise<void> {
    try {
      await this.fill(await this.ports.readModels.rebuild(this.runner.name), signal);
      this.state = 'done';
      this.log.log('rebuilt');
    } catch (error) {
      this.state = 'failed';
      this.log.warn(`rebuild given up: ${reasonOf(error)}`);
      throw error;
    }
  }

  private async fill(rows: Rebuild, signal: AbortSignal): Promise<void> {
    const end = new LinkedAbort(signal);
    const following = this.following(rows, end.signal);
    const running = following.run();
    running.catch(() => undefined);
    try {
      await this.catchUp(following);
      await rows.prepare();
      await this.catchUp(following);
      await this.runner.whileHeld(async (live) => {
        await following.until(live);
        end.abort();
        await running;
        await rows.switchOver();
      });
    } catch (error) {
      end.abort();
      await running.catch(() => undefined);
      await rows.abandon().catch(() => undefined);
      throw error;
    } finally {
      end.unlink();
    }
  }

  private following(rows: RowTarget, signal: AbortSignal): Following {
    const options: FollowingOptions = {
      ...BULK,
      onSkipped: ({ id }) => {
        this.runner.skipped++;
        this.log.warn(`skipped event ${id} again`);
      },
      onRefused: ({ id, position }, { reason }) => {
        this.runner.refused++;
        this.log.error(`row ${id} is not kept as of ${position}: ${reason}`);
      },
      onWritten: (upTo) => (this.reached = upTo),
    };
    return new Following(this.ports.store, this.runner.projection, rows, START, options, signal);
  }

  /**
   * The live rows move on meanwhile: each round is shorter than the one before, and only the last, short stretch holds
   * them. Where as much is written as is caught up with, no round would ever be short: they are held all the same.
   */
  private async catchUp(following: Following): Promise<void> {
    let before = Infinity;
    for (let round = 1; ; round++) {
      const begunAt = this.ports.clock.elapsed();
      this.target = await this.ports.store.head();
      await following.until(this.target);
      const tookMs = this.ports.clock.elapsed() - begunAt;
      if (tookMs <= SHORT_MS || (round >= ROUNDS && tookMs > before * SHORTER)) return;
      before = tookMs;
    }
  }
}
