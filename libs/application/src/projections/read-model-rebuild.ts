import { Logger } from '@nestjs/common';
import { START, type Position } from '@ports/event-store.port';
import { failureReason } from '@ports/failure';
import type { Rebuild } from '@ports/read-models.port';
import { LinkedAbort } from '../runtime/linked-abort.js';
import type { PassSkips } from './pass-skips.js';
import { ProjectionPass, type PassOptions } from './projection-pass.js';
import type { ProjectionRunner, RunnerPorts } from './projection-runner.js';
import type { RowTarget } from './row-writer.js';

/** Few, large writes, but small enough that other writes do not wait long behind one. */
export const BULK = { writeAt: 5_000, mostWaiting: 10_000, batchSize: 500, cachedRows: 20_000 };
/** How long live rows may be locked; readers wait longer than that for a read model that lags. */
const SHORT_MS = 500;
/** After this many rounds, continue only if the last one took less than this share of the one before. */
const ROUNDS = 4;
const SHORTER = 0.75;

/** Fills new rows beside the live ones, and switches over once they have caught up. */
export class ReadModelRebuild {
  state: 'running' | 'done' | 'failed' = 'running';
  /** Resolves once the new rows are live. A rejection (port unavailable or aborted) leaves the live rows as they were. */
  readonly finished: Promise<void>;
  /** How many it has made, once it has finished. */
  rows = 0;
  private reached: Position = START;
  private readonly skips: PassSkips;
  private target: Position = START;
  private readonly log: Logger;

  constructor(
    private readonly runner: ProjectionRunner,
    private readonly ports: RunnerPorts,
    signal: AbortSignal,
  ) {
    this.log = new Logger(`projection ${runner.name}`);
    this.skips = runner.newSkips('warn');
    this.finished = this.run(signal);
    this.finished.catch(() => undefined);
  }

  get percent(): number {
    if (this.state === 'done') return 100;
    if (this.target === START) return 0;
    return Math.min(99, Number((BigInt(this.reached) * 100n) / BigInt(this.target)));
  }

  private async run(signal: AbortSignal): Promise<void> {
    const begunAt = this.ports.clock.elapsed();
    this.log.log('rebuild begun');
    try {
      this.rows = await this.fill(await this.ports.readModels.rebuild(this.runner.name), signal);
      this.state = 'done';
      this.log.log('rebuild finished', { rows: this.rows, duration_ms: Math.round(this.ports.clock.elapsed() - begunAt) });
    } catch (error) {
      this.state = 'failed';
      this.log.warn(`rebuild given up: ${failureReason(error)}`);
      throw error;
    }
  }

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
      await this.skips.resolveOthers(pass.position);
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
      onSkipped: (skipped) => this.skips.skip(skipped),
      onRefused: (row, error) => this.skips.refuse(row, error),
      onWritten: (upTo) => (this.reached = upTo),
    };
    return new ProjectionPass(this.ports.store, this.runner.projection, rows, START, options, signal);
  }

  /** The log grows meanwhile: catches up in rounds until one is short enough to lock the live rows, or rounds get no shorter. */
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
