import { Logger } from '@nestjs/common';
import type { DomainEvent } from '@domain/kernel/decider';
import type { Envelope } from '@domain/kernel/envelope';
import type { Clock } from '@ports/clock.port';
import type { EventStore, Recorded } from '@ports/event-store.port';
import type { Ids } from '@ports/ids.port';

/** A clock that jumps ahead by more than this is not trusted until it has run on for as long. */
const DAY_MS = 24 * 3_600_000;
/** A smaller step back comes from rounded milliseconds, or from gradual clock correction. */
const MAX_JITTER_MS = 1_000;
/** In no feed; the engine keeps only the newest event, as of every stream `reactor-…`. */
const STREAM = 'reactor-time';
/** The only stream that earlier versions wrote to regularly. */
const OLDER_STREAM = 'reactor-webhook-fan-out';

interface TimeObserved extends DomainEvent {
  readonly type: 'TimeObserved';
  /** How far the clock is ahead of the log. Negative after it was set back, until it has run on for a day. */
  readonly leadMs: number;
  readonly since: number;
}

interface Observation {
  readonly at: number;
  readonly elapsed: number;
  readonly leadMs: number;
  readonly since: number;
}

/** The time by which data expires. */
export abstract class TrustedTime {
  /** Epoch milliseconds, behind a clock that is not trusted. */
  abstract now(): number;
}

/**
 * The machine's clock, unless it is over a day ahead of the last time in the log plus the elapsed time. Such a clock is not
 * trusted until it has run on for a day, across restarts: what expires by it is deleted for good.
 */
export class LogTime extends TrustedTime {
  private readonly log = new Logger('clock');
  private seen: Observation;
  private isTold = false;

  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {
    super();
    this.seen = { at: clock.now(), elapsed: clock.elapsed(), leadMs: 0, since: clock.now() };
  }

  /** Must be called before anything else. */
  async onModuleInit(): Promise<void> {
    const last = (await this.newest(STREAM)) ?? (await this.newest(OLDER_STREAM));
    if (!last) return;
    const { at, leadMs = 0, since = at } = last.event;
    this.seen = { at, elapsed: this.clock.elapsed(), leadMs, since };
    this.look();
  }

  now(): number {
    return this.clock.now() - this.leadMs;
  }

  /** How far the clock is ahead of the trusted time; 0 while it is trusted. */
  get leadMs(): number {
    return Math.max(0, this.look().leadMs);
  }

  /** Stores the clock's state for the next start. Rejects where another process has done so meanwhile. */
  async observe(round: Envelope): Promise<void> {
    const { at, leadMs, since } = this.look();
    const last = await this.newest(STREAM);
    const event: TimeObserved = { type: 'TimeObserved', at, leadMs, since };
    await this.store.append(STREAM, [{ id: this.ids.uuid(), event, metadata: round }], last?.revision ?? 'none');
  }

  private look(): Observation {
    const before = this.seen;
    const [at, elapsed] = [this.clock.now(), this.clock.elapsed()];
    const jumpMs = at - before.at - (elapsed - before.elapsed);
    const isAhead = jumpMs > DAY_MS;
    const isBack = jumpMs < -MAX_JITTER_MS;
    const leadMs = before.leadMs + (isAhead || isBack ? jumpMs : 0);
    // A doubtful clock that is set back, but not far enough, keeps its time of running on.
    const goesOnSince = before.since + (isBack ? jumpMs : 0);
    const since = isAhead || (isBack && before.leadMs <= 0) ? at : goesOnSince;
    const isBelieved = at - since >= DAY_MS || (leadMs >= 0 && leadMs <= DAY_MS);
    this.seen = { at, elapsed, leadMs: isBelieved ? 0 : leadMs, since };
    this.tell();
    return this.seen;
  }

  private tell(): void {
    const { leadMs } = this.seen;
    if (leadMs > 0 === this.isTold) return;
    this.isTold = leadMs > 0;
    if (!this.isTold) return this.log.warn("this machine's clock is believed again");
    const ahead = `this machine's clock is ${Math.round(leadMs / DAY_MS)} days ahead of the log`;
    this.log.warn(`${ahead}: nothing expires by it before it has gone on for a day; if it is wrong, set it right`);
  }

  private async newest(stream: string): Promise<Recorded<DomainEvent & Partial<TimeObserved>> | undefined> {
    const [last] = await this.store.read<DomainEvent & Partial<TimeObserved>>(stream, { direction: 'backwards', limit: 1 });
    return last;
  }
}
