import { AsyncLocalStorage } from 'node:async_hooks';
import { LowWatermark } from '@kit/low-watermark';
import { Waiter } from '@kit/waiter';
import { Clock } from '@ports/clock.port';
import type { Assignment, ConsumeResult, BusMessage } from '@ports/message-bus.port';
import type { StoredMessages } from './stored-messages.js';
import type { PlacedMessage, Topic } from './topic.js';

const READ_AT_ONCE = 128;
const OFFERED_AGAIN_AFTER_MS = 1000;

interface OwnAssignment extends Assignment {
  isRevoked: boolean;
}

export type Handler = (message: BusMessage) => Promise<ConsumeResult>;

/** Offers a partition's messages in order, and commits the offset up to which all are consumed. */
export class PartitionPump {
  private handler: Handler | undefined;
  private assignment: OwnAssignment;
  private buffer: PlacedMessage[] = [];
  /** Whether every stored message was offered or is in the buffer. */
  private complete = false;
  /** The lowest offset neither offered nor in the buffer. */
  private unread: number;
  private running = false;
  private readonly handlerChanged = new Waiter();
  private readonly taken = new LowWatermark<number>();
  /** Offers never run in the async context of a request that published another message. */
  private readonly inContext = AsyncLocalStorage.snapshot();
  private readonly unsettled = new Map<Handler, Set<Promise<void>>>();

  constructor(
    private readonly topic: Topic,
    private readonly partition: number,
    committed: number,
    private readonly stored: StoredMessages,
    private readonly clock: Clock,
    private readonly commit: (next: number) => void,
  ) {
    this.unread = committed;
    this.assignment = { since: clock.elapsed(), isRevoked: false };
  }

  get low(): number {
    return this.taken.oldest ?? this.buffer[0]?.offset ?? this.unread;
  }

  /** Offers to this handler from now on; to none if undefined. */
  serve(handler: Handler | undefined): void {
    if (handler === this.handler) return;
    this.assignment.isRevoked = true;
    this.assignment = { since: this.clock.elapsed(), isRevoked: false };
    this.handler = handler;
    this.handlerChanged.wake();
    void this.inContext(() => this.run());
  }

  /** Offers a message that is still being stored, if everything before it was offered. */
  announced(message: PlacedMessage): void {
    if (this.complete && message.offset === this.unread) this.published(message);
  }

  published(message: PlacedMessage): void {
    if (message.offset < this.unread) return;
    if (this.complete && this.buffer.length < READ_AT_ONCE) {
      this.buffer.push(message);
      this.unread = message.offset + 1;
    } else {
      this.complete = false;
    }
    void this.inContext(() => this.run());
  }

  /** Resolves when this handler has answered every offer and its accepted work is done. */
  async settledFor(handler: Handler): Promise<void> {
    // An accepted offer adds its work to `unsettled`.
    for (let mine = this.unsettled.get(handler); mine; mine = this.unsettled.get(handler)) await Promise.all(mine);
  }

  private async run(): Promise<void> {
    if (this.running) return;
    this.running = true;
    for (let handler = this.handler; handler; handler = this.handler) {
      const message = this.next();
      if (!message) break;
      const result = message === 'unreadable' ? this.later() : await this.track(handler, this.offer(handler, message));
      if (result.kind !== 'accepted') await this.hold(handler, result);
      else if (message !== 'unreadable') this.take(message, result.done, handler);
    }
    this.running = false;
  }

  private next(): PlacedMessage | 'unreadable' | undefined {
    try {
      return this.first();
    } catch {
      return 'unreadable';
    }
  }

  private first(): PlacedMessage | undefined {
    if (this.buffer.length === 0 && !this.complete) {
      this.buffer = this.stored.read(this.topic.id, this.partition, this.unread, READ_AT_ONCE);
      this.unread = (this.buffer.at(-1)?.offset ?? this.unread - 1) + 1;
      this.complete = this.buffer.length < READ_AT_ONCE;
    }
    return this.buffer[0];
  }

  private async offer(handler: Handler, { key, value, offset }: PlacedMessage): Promise<ConsumeResult> {
    const { assignment, partition } = this;
    try {
      return await handler({ topic: this.topic.name, partition, offset: String(offset), key, value, assignment });
    } catch {
      return this.later();
    }
  }

  private later(): ConsumeResult {
    return { kind: 'held', until: this.clock.now() + OFFERED_AGAIN_AFTER_MS };
  }

  private take({ offset }: PlacedMessage, done: Promise<void>, handler: Handler): void {
    this.buffer.shift();
    const finish = this.taken.take(offset);
    const settled = (): void => {
      finish();
      this.commit(this.low);
    };
    void this.track(handler, done.then(settled, settled));
  }

  /** Waits for the time or the space, or until another handler serves. */
  private async hold(handler: Handler, result: Exclude<ConsumeResult, { kind: 'accepted' }>): Promise<void> {
    if (this.handler !== handler) return;
    const { signalled, cancel } = this.handlerChanged.register(
      result.kind === 'held' ? (stop) => this.atOrAfter(result.until, stop) : undefined,
    );
    if (result.kind === 'full') result.space.then(cancel, cancel);
    await signalled;
  }

  /** At this instant, or after as long as it is until then now: a clock that is set back prolongs no wait. */
  private atOrAfter(until: number, stop: () => void): () => void {
    const cancels = [this.clock.at(until, stop), this.clock.after(until - this.clock.now(), stop)];
    return () => cancels.forEach((cancel) => cancel());
  }

  private track<T>(handler: Handler, promise: Promise<T>): Promise<T> {
    const mine = this.unsettled.get(handler) ?? new Set();
    this.unsettled.set(handler, mine);
    const entry: Promise<void> = promise.then(() => {
      mine.delete(entry);
      if (mine.size === 0) this.unsettled.delete(handler);
    });
    mine.add(entry);
    return promise;
  }
}
