import { Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DomainError } from '@domain/kernel/domain-error';
import type { Position, Recorded } from '@ports/event-store.port';
import { nameOf } from '@ports/failure';
import { LinkedAbort } from '../runtime/linked-abort.js';
import type { Reactor } from '../runtime/reactor.js';
import { Restarts } from '../runtime/restarts.js';
import type { SkipRecorder } from '../skipped-events/skip-recorder.js';
import { ReactorCheckpoint, type CheckpointPorts } from './reactor-checkpoint.js';
import { PartitionedQueue } from './partitioned-queue.js';
import { ReactorProgress } from './reactor-progress.js';

/** One disk write per batch, so small batches would fall behind a busy log. */
const AT_ONCE = 1_024;

interface RunnerPorts extends CheckpointPorts {
  /** Without it, what is skipped is only counted. */
  readonly skips?: SkipRecorder;
}

/** Feeds events to one reactor from its checkpoint on, and restarts after failures until the signal aborts. */
export class ReactorRunner {
  skipped = 0;
  /** The latest skipped ids: an event that comes again after a restart is counted once. */
  private readonly skippedLast = new LRUCache<string, true>({ max: 2 * AT_ONCE });
  readonly restarts: Restarts;
  private readonly log: Logger;
  private queue: PartitionedQueue | null = null;

  constructor(
    readonly reactor: Reactor,
    private readonly ports: RunnerPorts,
  ) {
    this.log = new Logger(`reactor ${reactor.name}`);
    this.restarts = new Restarts(this.log, ports.clock);
  }

  get waiting(): number {
    return this.queue?.waiting ?? 0;
  }

  /** Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.follow(await ReactorCheckpoint.load(this.reactor.name, this.ports), signal);
        if (!signal.aborted) throw new Error('the feed ended');
      } catch (error) {
        if (signal.aborted) return;
        await this.restarts.after(error, signal);
      }
    }
  }

  /** Handles a skipped event anew, and records what comes of it. Rejects when it is not the event that fails. */
  async retry(record: Recorded, taskId: string, signal: AbortSignal): Promise<void> {
    const { name } = this.reactor;
    try {
      await this.reactor.handle([record], signal);
    } catch (error) {
      if (signal.aborted || !isCausedByEvent(error)) throw error;
      await this.ports.skips?.record(name, [{ record, error, rows: [] }]);
      return;
    }
    await this.ports.skips?.resolve(name, [record.position], taskId);
  }

  private async follow(checkpoint: ReactorCheckpoint, signal: AbortSignal): Promise<void> {
    const end = new LinkedAbort(signal);
    const progress = new ReactorProgress(checkpoint, this.ports.clock, end, () => this.restarts.succeeded());
    const queue = (this.queue = this.queueFrom(checkpoint.position, progress, end));
    try {
      const feed = { categories: this.reactor.categories, atOnce: AT_ONCE, signal: end.signal };
      for await (const batch of this.ports.store.subscribe(checkpoint.position, feed)) {
        const passed = await queue.take(batch);
        progress.reached(queue.doneUpTo, passed);
      }
    } finally {
      end.abort();
      end.unlink();
      try {
        await queue.close();
      } finally {
        await progress.close();
      }
    }
  }

  private queueFrom(from: Position, progress: ReactorProgress, end: Pick<AbortController, 'signal' | 'abort'>): PartitionedQueue {
    return new PartitionedQueue(this.reactor, this.ports.store, from, {
      handle: (events) => this.handle(events, end.signal),
      onDone: (upTo, events) => progress.reached(upTo, events),
      onFailure: () => end.abort(),
      signal: end.signal,
    });
  }

  /** Halves a failing batch until the culprit is alone, which is skipped. An outage skips nothing. */
  private async handle(events: readonly Recorded[], signal: AbortSignal): Promise<void> {
    try {
      await this.reactor.handle(events, signal);
    } catch (error) {
      if (signal.aborted || !isCausedByEvent(error)) throw error;
      const [only] = events;
      if (only && events.length === 1) return this.skip(only, error);
      const middle = events.length >> 1;
      await this.handle(events.slice(0, middle), signal);
      await this.handle(events.slice(middle), signal);
    }
  }

  private async skip(record: Recorded, error: unknown): Promise<void> {
    const { id, stream, revision } = record;
    if (this.skippedLast.has(id)) return;
    this.skippedLast.set(id, true);
    this.skipped++;
    this.log.error(`skipped event ${id} (${stream}, revision ${revision}): ${nameOf(error)}`);
    await this.ports.skips?.record(this.reactor.name, [{ record, error, rows: [] }]);
  }
}

function isCausedByEvent(error: unknown): boolean {
  return [DomainError, TypeError, RangeError, ReferenceError, SyntaxError].some((kind) => error instanceof kind);
}
