import { Clock } from '@ports/clock.port';
import type { Admission, BusMessage } from '@ports/message-bus.port';
import type { StoredMessages } from './stored-messages.js';
import type { PlacedMessage, Topic } from './topic.js';

const READ_AT_ONCE = 128;
const OFFERED_AGAIN_AFTER_MS = 1000;

export type Handler = (message: BusMessage) => Promise<Admission>;

/** Offers one partition's messages to whoever serves it, in order, and knows up to where all are consumed. */
export class PartitionPump {
  private handler: Handler | undefined;
  private buffer: PlacedMessage[] = [];
  /** Whether everything stored is offered or in the buffer. */
  private complete = false;
  /** The lowest offset that is neither offered nor in the buffer. */
  private unread: number;
  private running = false;
  private held: (() => void) | undefined;
  /** Taken and not known to be consumed, oldest first; `true` when it is only waiting for an older one. */
  private readonly taken = new Map<number, boolean>();
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
  }

  /** From now on messages are offered to this one; to nobody without. */
  serve(handler: Handler | undefined): void {
    if (handler === this.handler) return;
    this.handler = handler;
    this.held?.();
    void this.run();
  }

  /** A message that is being stored is offered already where everything before it was. */
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
    void this.run();
  }

  /** Resolves when this handler has answered what it was offered and all it accepted is done. */
  async settledFor(handler: Handler): Promise<void> {
    // Accepting a message ends its offer and begins its work: there is more to wait for than there was.
    for (let mine = this.unsettled.get(handler); mine; mine = this.unsettled.get(handler)) await Promise.all(mine);
  }

  private async run(): Promise<void> {
    if (this.running) return;
    this.running = true;
    for (let handler = this.handler; handler; handler = this.handler) {
      const message = this.next();
      if (!message) break;
      const admission = message === 'unreadable' ? this.later() : await this.track(handler, this.offer(handler, message));
      if (admission.kind !== 'accepted') await this.hold(handler, admission);
      else if (message !== 'unreadable') this.take(message, admission.done, handler);
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

  private async offer(handler: Handler, { key, value, offset }: PlacedMessage): Promise<Admission> {
    try {
      return await handler({ topic: this.topic.name, partition: this.partition, offset: String(offset), key, value });
    } catch {
      return this.later();
    }
  }

  private later(): Admission {
    return { kind: 'held', until: this.clock.now() + OFFERED_AGAIN_AFTER_MS };
  }

  private take({ offset }: PlacedMessage, done: Promise<void>, handler: Handler): void {
    this.buffer.shift();
    this.taken.set(offset, false);
    const settled = (): void => this.consumed(offset);
    void this.track(handler, done.then(settled, settled));
  }

  private consumed(offset: number): void {
    this.taken.set(offset, true);
    for (const [oldest, consumed] of this.taken) {
      if (!consumed) return this.commit(oldest);
      this.taken.delete(oldest);
    }
    this.commit(this.buffer[0]?.offset ?? this.unread);
  }

  /** Until the time or the space is there, or somebody else serves. */
  private async hold(handler: Handler, admission: Exclude<Admission, { kind: 'accepted' }>): Promise<void> {
    if (this.handler !== handler) return;
    await new Promise<void>((resolve) => {
      const cancel = admission.kind === 'held' ? this.clock.at(admission.until, resolve) : undefined;
      if (admission.kind === 'full') admission.space.then(resolve, resolve);
      this.held = () => {
        cancel?.();
        resolve();
      };
    });
    this.held = undefined;
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
