import { Logger } from '@nestjs/common';
import type { DomainEvent } from '@domain/kernel/decider';
import type { Clock } from '@ports/clock.port';
import type { EventStore, Recorded } from '@ports/event-store.port';
import type { Ids } from '@ports/ids.port';

/** A jump of the clock by more than this is not believed at once, and is believed once the clock has gone on for as long. */
const DAY_MS = 24 * 3_600_000;
/** A stream of the kind of which feeds tell nothing and that the engine bounds. */
const STREAM = 'reactor-time';
/** Before this version the stamps of this stream were the log's only regular ones. */
const OLDER_STREAM = 'reactor-webhook-fan-out';

interface TimeObserved extends DomainEvent {
  readonly type: 'TimeObserved';
  /** By how much the clock is ahead of the time that is believed. */
  readonly leadMs: number;
  /** When the clock began to be ahead, by itself. */
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
  /** Epoch milliseconds, behind those of a clock that is not believed. */
  abstract now(): number;
}

/**
 * The time of the log: that of this machine's clock, unless the clock is more than a day ahead of what the log and the time that has
 * passed here since tell. Until such a clock has gone on for a day, be it over restarts, it counts as wrong: what it would delete
 * cannot be had back.
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

  /** Reads what the log tells of the time. To be called before anything else. */
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

  /** By how much the clock is ahead of the time that is believed; 0 while it is believed itself. */
  get leadMs(): number {
    return this.look().leadMs;
  }

  /** Stores how the clock is, for the next start. Rejects where another process has done so meanwhile. */
  async observe(): Promise<void> {
    const { at, leadMs, since } = this.look();
    const last = await this.newest(STREAM);
    const event: TimeObserved = { type: 'TimeObserved', at, leadMs, since };
    await this.store.append(STREAM, [{ id: this.ids.uuid(), event }], last?.revision ?? 'none');
  }

  private look(): Observation {
    const before = this.seen;
    const [at, elapsed] = [this.clock.now(), this.clock.elapsed()];
    const jumpMs = at - before.at - (elapsed - before.elapsed);
    const isAhead = jumpMs > DAY_MS;
    const since = isAhead ? at : before.since;
    const leadMs = before.leadMs + (isAhead || jumpMs < 0 ? jumpMs : 0);
    const isBelieved = leadMs <= DAY_MS || at - since >= DAY_MS;
    this.seen = { at, elapsed, leadMs: isBelieved ? 0 : leadMs, since };
    this.tell();
    return this.seen;
  }

  /** One line when the clock is no longer believed, and one when it is again. */
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
