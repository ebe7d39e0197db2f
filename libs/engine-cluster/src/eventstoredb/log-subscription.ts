import { type AllStreamSubscription, END } from '@eventstore/db-client';
import { Backoff } from '@kit/time';
import { type Clock, pause } from '@ports/clock.port';
import type { Connection } from './connection.js';

export interface SubscriptionPauses {
  readonly firstMs: number;
  readonly longestMs: number;
}

const PAUSES: SubscriptionPauses = { firstMs: 100, longestMs: 5_000 };
/** The time within which a server confirms a subscription. */
const CONFIRMED_WITHIN_MS = 2_000;

/**
 * A subscription to the whole log that only tells when there is something new. It is subscribed again, one at a time, however it
 * ends: a subscription ends without an error, too. Without filter: a filtered one tells late where nothing matches.
 */
export class LogSubscription {
  private readonly stop = new AbortController();
  private leave: (() => void) | undefined;

  constructor(
    private readonly connection: Connection,
    private readonly clock: Clock,
    private readonly tell: () => void,
    private readonly pauses: SubscriptionPauses = PAUSES,
  ) {}

  /** Listens until it is closed. */
  async run(): Promise<void> {
    const backoff = new Backoff(this.pauses.firstMs, this.pauses.longestMs);
    while (!this.stop.signal.aborted) {
      const wasConfirmed = await this.listen();
      // What came while nobody listened.
      this.tell();
      if (wasConfirmed) backoff.reset();
      await pause(this.clock, backoff.next(), this.stop.signal);
    }
  }

  /** Subscribes anew. */
  renew(): void {
    this.leave?.();
  }

  close(): void {
    this.stop.abort();
    this.renew();
  }

  /** Resolves when the subscription is over, to whether it was confirmed. */
  private listen(): Promise<boolean> {
    return new Promise((resolve) => {
      let isConfirmed = false;
      const subscription = this.connection.open((client, options) => client.subscribeToAll({ ...options, fromPosition: END }));
      const over = (): void => {
        unwatch();
        this.leave = undefined;
        leave(subscription);
        resolve(isConfirmed);
      };
      const unwatch = this.clock.after(CONFIRMED_WITHIN_MS, over);
      this.leave = over;
      subscription.on('confirmation', () => {
        isConfirmed = true;
        unwatch();
        // Events before the subscription are not told.
        this.tell();
      });
      subscription.on('data', () => this.tell());
      for (const event of ['end', 'close', 'error']) subscription.once(event, over);
    });
  }
}

/** Later errors of the subscription are nobody's business, but must have a listener. */
function leave(subscription: AllStreamSubscription): void {
  subscription.removeAllListeners();
  subscription.on('error', () => undefined);
  subscription.unsubscribe().catch(() => undefined);
  subscription.destroy();
}
