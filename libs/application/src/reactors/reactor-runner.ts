import { Logger } from '@nestjs/common';
import { DomainError } from '@domain/kernel/domain-error';
import type { Recorded } from '@ports/event-store.port';
import { nameOf, reasonOf } from '@ports/failure';
import { LinkedAbort } from '../linked-abort.js';
import { Backoff } from '../backoff.js';
import { RepeatedTrouble } from '../repeated-trouble.js';
import type { Reactor } from './reactor.js';
import { ReactorCheckpoint, type CheckpointPorts } from './reactor-checkpoint.js';
import { ReactorProgress } from './reactor-progress.js';

/** Feeds one reactor, remembers how far it is, and never stops trying. */
export class ReactorRunner {
  /** Events whose handling failed for a reason that no second try can cure. */
  quarantined = 0;
  restarts = 0;
  private readonly log: Logger;
  private readonly backoff: Backoff;
  private readonly trouble: RepeatedTrouble;

  constructor(
    readonly reactor: Reactor,
    private readonly ports: CheckpointPorts,
  ) {
    this.log = new Logger(`reactor ${reactor.name}`);
    this.backoff = new Backoff(ports.clock);
    this.trouble = new RepeatedTrouble(ports.clock);
  }

  /** Reacts until the signal aborts. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.follow(await ReactorCheckpoint.load(this.reactor.name, this.ports), signal);
        if (!signal.aborted) throw new Error('the feed ended');
      } catch (error) {
        if (signal.aborted) return;
        await this.failed(error, signal);
      }
    }
  }

  private async failed(error: unknown, signal: AbortSignal): Promise<void> {
    this.restarts++;
    if (this.trouble.isNews(error))
      this.log.warn(
        `starting again from the stored checkpoint (failure ${this.backoff.inARow + 1} in a row): ${reasonOf(error)}`,
      );
    await this.backoff.failed(signal);
  }

  private succeeded(): void {
    this.backoff.succeeded();
    if (this.trouble.endsIt()) this.log.warn('goes on');
  }

  private async follow(checkpoint: ReactorCheckpoint, signal: AbortSignal): Promise<void> {
    const end = new LinkedAbort(signal);
    const progress = new ReactorProgress(checkpoint, this.ports.clock, end, () => this.succeeded());
    try {
      const feed = { categories: this.reactor.categories, signal: end.signal };
      for await (const { events, upTo } of this.ports.store.subscribe(checkpoint.position, feed)) {
        if (events.length > 0) await this.handle(events, end.signal);
        await progress.reached(upTo, events.length);
      }
    } finally {
      end.abort();
      end.unlink();
      await progress.close();
    }
  }

  /** A batch that fails as no outage makes it fail is taken apart, so that one bad event does not hold up the others. */
  private async handle(events: readonly Recorded[], signal: AbortSignal): Promise<void> {
    try {
      await this.reactor.handle(events, signal);
    } catch (error) {
      if (signal.aborted || !isOfTheEvent(error)) throw error;
      const [only] = events;
      if (only && events.length === 1) return this.quarantine(only, error);
      for (const event of events) await this.handle([event], signal);
    }
  }

  private quarantine({ id, stream, revision }: Recorded, error: unknown): void {
    this.quarantined++;
    this.log.error(`skipped event ${id} (${stream}, revision ${revision}): ${nameOf(error)}`);
  }
}

function isOfTheEvent(error: unknown): boolean {
  return [DomainError, TypeError, RangeError, ReferenceError, SyntaxError].some((kind) => error instanceof kind);
}
