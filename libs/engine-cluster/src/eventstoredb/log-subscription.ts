import { type AllStreamRecordedEvent, type AllStreamSubscription, END } from '@eventstore/db-client';
import { Backoff } from '@kit/time';
import { type Clock, pause } from '@ports/clock.port';
import type { Connection } from './connection.js';

export interface SubscriptionPauses {
  readonly firstMs: number;
  readonly longestMs: number;
}

const PAUSES: SubscriptionPauses = { firstMs: 100, longestMs: 5_000 };
const CONFIRMED_WITHIN_MS = 2_000;

/** Brings every event of the whole log in order, renewed however it ends, even without an error. A filtered one would report late. */
export class LogSubscription {
  private readonly stop = new AbortController();
  private leave: (() => void) | undefined;

  constructor(
    private readonly connection: Connection,
    private readonly clock: Clock,
    /** Learns each event in the order of the log; and, without one, that a subscription begins or has ended. */
    private readonly tell: (event?: AllStreamRecordedEvent) => void,
    private readonly pauses: SubscriptionPauses = PAUSES,
  ) {}

  async run(): Promise<void> {
    const backoff = new Backoff(this.pauses.firstMs, this.pauses.longestMs);
    while (!this.stop.signal.aborted) {
      const wasConfirmed = await this.listen();
      // Events may have come while there was no subscription.
      this.tell();
      if (wasConfirmed) backoff.reset();
      await pause(this.clock, backoff.next(), this.stop.signal);
    }
  }

  renew(): void {
    this.leave?.();
  }

  close(): void {
    this.stop.abort();
    this.renew();
  }

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
        // Events before the subscription are not reported.
        this.tell();
      });
      subscription.on('data', ({ event }) => this.tell(event));
      for (const event of ['end', 'close', 'error']) subscription.once(event, over);
    });
  }
}

/** Later errors are ignored, but an `error` event without a listener would throw. */
function leave(subscription: AllStreamSubscription): void {
  subscription.removeAllListeners();
  subscription.on('error', () => undefined);
  subscription.unsubscribe().catch(() => undefined);
  subscription.destroy();
}
