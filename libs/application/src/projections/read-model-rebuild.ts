import { Logger } from '@nestjs/common';
import { START, type Position } from '@ports/event-store.port';
import { failureReason } from '@ports/failure';
import type { Rebuild } from '@ports/read-models.port';
import { LinkedAbort } from '../runtime/linked-abort.js';
import { ProjectionPass, type PassOptions } from './projection-pass.js';
import type { ProjectionRunner, RunnerPorts } from './projection-runner.js';
import type { RowTarget } from './row-writer.js';

/** Few, large writes, but no request so large that commands wait long behind it. */
const BULK = { writeAt: 5_000, mostWaiting: 10_000, batchSize: 500, cachedRows: 20_000 };
/** How long the live rows may be held: readers wait longer than that for a read model that lags. */
const SHORT_MS = 500;
/** From this round on, the next round is worth it only if the last one took less than this share of the one before. */
const ROUNDS = 4;
const SHORTER = 0.75;

/** One rebuild of a read model: fills new rows beside the live ones, and switches over once they have caught up. */
export class ReadModelRebuild {
  state: 'running' | 'done' | 'failed' = 'running';
  /** Resolves once the new rows are live. Rejects, with the live rows as they were, when a port is unavailable or the signal aborts. */
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

  /** The share of the log that is projected, 0 to 100. */
  get percent(): number {
    if (this.state === 'done') return 100;
    if (this.target === START) return 0;
    return Math.min(99, Number((BigInt(this.reached) * 100n) / BigInt(this.target)));
  }

  private async run(signal: AbortSignal): Promise<void> {
    const begunAt = this.ports.clock.elapsed();
    this.log.log('rebuild begun');
    try {
      const rows = await this.fill(await this.ports.readModels.rebuild(this.runner.name), signal);
      this.state = 'done';
      this.log.log('rebuild finished', { rows, duration_ms: Math.round(this.ports.clock.elapsed() - begunAt) });
    } catch (error) {
      this.state = 'failed';
      this.log.warn(`rebuild given up: ${failureReason(error)}`);
      throw error;
    }
  }

  /** How many rows there are then. */
  private async fill(rows: Rebuild, signal: AbortSignal): Promise<number> {
    const end = new LinkedAbort(signal);
    const pass = this.passOver(rows, end.signal);
    const running = pass.run();
    running.catch(() => undefined);
    try {
      await this.catchUp(pass);
      await rows.prepare();
      await this.catchUp(pass);
      await this.runner.whileHeld(async (live) => {
        await pass.flushed(live);
        end.abort();
        await running;
        await rows.switchOver();
      });
      return pass.rowsBegun;
    } catch (error) {
      end.abort();
      await running.catch(() => undefined);
      await rows.abandon().catch(() => undefined);
      throw error;
    } finally {
      end.unlink();
    }
  }

  private passOver(rows: RowTarget, signal: AbortSignal): ProjectionPass {
    const options: PassOptions = {
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
    return new ProjectionPass(this.ports.store, this.runner.projection, rows, START, options, signal);
  }

  /**
   * Catches up with the log in rounds, since it grows meanwhile: each round is shorter than the one before, until one is so
   * short that the live rows may be held for the next. Under a load that the rebuild cannot outpace it stops trying.
   */
  private async catchUp(pass: ProjectionPass): Promise<void> {
    let before = Infinity;
    for (let round = 1; ; round++) {
      const begunAt = this.ports.clock.elapsed();
      this.target = await this.ports.store.head();
      await pass.flushed(this.target);
      const tookMs = this.ports.clock.elapsed() - begunAt;
      if (tookMs <= SHORT_MS || (round >= ROUNDS && tookMs > before * SHORTER)) return;
      before = tookMs;
    }
  }
}
