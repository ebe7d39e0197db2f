import { DomainError } from '@domain/kernel/domain-error';
import { KeyedQueue, type Ticket } from '@kit/keyed-queue';

/** As many as a burst of requests brings at once: mostly a read takes a moment. */
const MAX_WAITING = 200;

/** A read that may take long. */
export interface LongRead<Found> {
  /** Reads of one queue are done one at a time. */
  readonly queue: string;
  /** Tells it apart from the other reads of its queue. */
  readonly name: string;
  /** Ends early when the signal aborts: then nobody wants the result any more. */
  readonly load: (abandoned: AbortSignal) => Promise<Found>;
}

interface SharedRead<Found> {
  readonly ticket: Ticket;
  readonly found: Promise<Found>;
  readonly abandoned: AbortController;
  callers: number;
  hasBegun: boolean;
}

/**
 * Does long reads one at a time per queue. Callers that ask for the same read before it begins share it; a read that has
 * begun is not shared, since it may lack what was written since.
 */
export class SharedReads<Found> {
  private readonly queue = new KeyedQueue();
  /** By queue and name. */
  private readonly notBegun = new Map<string, SharedRead<Found>>();

  /**
   * The result of `use`, which is done before the next read of the queue begins. Rejects with the signal's reason as soon as
   * the signal aborts, and with `service_unavailable` where two hundred reads wait already.
   */
  async run<Result>(
    wanted: LongRead<Found>,
    use: (found: Found) => Promise<Result>,
    signal = new AbortController().signal,
  ): Promise<Result> {
    signal.throwIfAborted();
    const key = `${wanted.queue}\n${wanted.name}`;
    const read = this.notBegun.get(key) ?? this.enter(key, wanted);
    read.callers += 1;
    try {
      return await use(await Promise.race([read.found, rejectedOnAbort(signal)]));
    } finally {
      read.callers -= 1;
      if (read.callers === 0) this.end(key, read);
    }
  }

  private enter(key: string, { queue, load }: LongRead<Found>): SharedRead<Found> {
    if (this.queue.waiting(queue) >= MAX_WAITING) {
      throw new DomainError('service_unavailable', 'Too much is looked up at once. Try again.', { retryAfter: 1 });
    }
    const ticket = this.queue.enter(queue);
    const abandoned = new AbortController();
    const found = ticket.turn.then(() => {
      abandoned.signal.throwIfAborted();
      this.notBegun.delete(key);
      read.hasBegun = true;
      return load(abandoned.signal);
    });
    const read: SharedRead<Found> = { ticket, found, abandoned, callers: 0, hasBegun: false };
    this.notBegun.set(key, read);
    return read;
  }

  /** The last caller is served, or gone. A read under way keeps its turn until it has ended. */
  private end(key: string, { ticket, found, abandoned, hasBegun }: SharedRead<Found>): void {
    abandoned.abort();
    if (hasBegun) return void found.then(ticket.leave, ticket.leave);
    this.notBegun.delete(key);
    ticket.leave();
  }
}

function rejectedOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
