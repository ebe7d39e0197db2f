import { SKEW_MS } from '@domain/kernel/skew';
import type { Clock } from '@ports/clock.port';
import type { BusMessage } from '@ports/message-bus.port';

export type MessageOffset = Pick<BusMessage, 'topic' | 'partition' | 'offset'>;

/** The held first message of each partition. After its full wait it no longer blocks others, even if the clock was set back. */
export class HeldHeads {
  /** By partition: the offset, and the `elapsed()` at which it was held long enough. */
  private readonly heads = new Map<string, { readonly offset: string; readonly endsAt: number }>();

  constructor(private readonly clock: Clock) {}

  mayHold({ topic, partition, offset }: MessageOffset, until: number): boolean {
    const [key, elapsed, leftMs] = [`${topic} ${partition}`, this.clock.elapsed(), until - this.clock.now()];
    const head = this.heads.get(key);
    if (head?.offset === offset) return elapsed < head.endsAt || leftMs <= SKEW_MS;
    this.heads.set(key, { offset, endsAt: elapsed + leftMs });
    return true;
  }
}
