import { Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DomainError } from '@domain/kernel/domain-error';
import type { Position, Recorded } from '@ports/event-store.port';
import { nameOf } from '@ports/failure';
import { LinkedAbort } from '../runtime/linked-abort.js';
import type { Reactor } from '../runtime/reactor.js';
import { Restarts } from '../runtime/restarts.js';
import { ReactorCheckpoint, type CheckpointPorts } from './reactor-checkpoint.js';
import { PartitionedQueue } from './partitioned-queue.js';
import { ReactorProgress } from './reactor-progress.js';

/** A reactor waits for the disk once per batch, so that small batches would fall behind a busy log. */
const AT_ONCE = 1_024;

/** Feeds events to one reactor from its checkpoint on, and starts again after each failure until it is told to stop. */
export class ReactorRunner {
  /** How many events were skipped: their handling failed in a way that no retry can cure. */
  skipped = 0;
  /** Ids of the last ones skipped: an event that comes again after a restart is counted once. */
  private readonly skippedLast = new LRUCache<string, true>({ max: 2 * AT_ONCE });
  readonly restarts: Restarts;
  private readonly log: Logger;
  private queue: PartitionedQueue | null = null;

  constructor(
    readonly reactor: Reactor,
    private readonly ports: CheckpointPorts,
  ) {
    this.log = new Logger(`reactor ${reactor.name}`);
    this.restarts = new Restarts(this.log, ports.clock);
  }

  /** How many events are read and not handled yet. */
  get waiting(): number {
    return this.queue?.waiting ?? 0;
  }

  /** Runs until the signal aborts. Never rejects. */
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

  /** A batch whose failure is no outage is halved until the event that causes it is alone: that one is skipped. */
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

  private skip({ id, stream, revision }: Recorded, error: unknown): void {
    if (this.skippedLast.has(id)) return;
    this.skippedLast.set(id, true);
    this.skipped++;
    this.log.error(`skipped event ${id} (${stream}, revision ${revision}): ${nameOf(error)}`);
  }
}

function isCausedByEvent(error: unknown): boolean {
  return [DomainError, TypeError, RangeError, ReferenceError, SyntaxError].some((kind) => error instanceof kind);
}
