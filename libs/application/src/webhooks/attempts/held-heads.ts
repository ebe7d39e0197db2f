import { SKEW_MS } from '@domain/kernel/skew';
import type { Clock } from '@ports/clock.port';
import type { BusMessage } from '@ports/message-bus.port';

/** Where a message stands. */
export type MessageOffset = Pick<BusMessage, 'topic' | 'partition' | 'offset'>;

/**
 * The first message of each partition that is held. One that is offered again after it was held as long as it was to be, and is
 * still early because the clock was set back meanwhile, holds up those behind it no longer.
 */
export class HeldHeads {
  /** By partition: the offset, and the `elapsed()` at which it was held long enough. */
  private readonly heads = new Map<string, { readonly offset: string; readonly endsAt: number }>();

  constructor(private readonly clock: Clock) {}

  /** Whether to hold the message until this instant, which is to come. */
  mayHold({ topic, partition, offset }: MessageOffset, until: number): boolean {
    const [key, elapsed, leftMs] = [`${topic} ${partition}`, this.clock.elapsed(), until - this.clock.now()];
    const head = this.heads.get(key);
    if (head?.offset === offset) return elapsed < head.endsAt || leftMs <= SKEW_MS;
    this.heads.set(key, { offset, endsAt: elapsed + leftMs });
    return true;
  }
}
