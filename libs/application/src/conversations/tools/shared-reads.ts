import { DomainError } from '@domain/kernel/domain-error';
import { KeyedQueue, type Ticket } from '@kit/keyed-queue';

const MAX_WAITING = 200;

export interface LongRead<Found> {
  readonly queue: string;
  readonly name: string;
  readonly load: (abandoned: AbortSignal) => Promise<Found>;
}

interface SharedRead<Found> {
  readonly ticket: Ticket;
  readonly found: Promise<Found>;
  readonly abandoned: AbortController;
  callers: number;
  hasBegun: boolean;
}

/** Long reads, one at a time per queue. Callers share a read that has not begun; a running one may lack newer writes. */
export class SharedReads<Found> {
  private readonly queue = new KeyedQueue();
  private readonly notBegun = new Map<string, SharedRead<Found>>();

  /** Runs `use` on the result before the next read. Rejects on abort, and with `service_unavailable` where 200 reads wait. */
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

  /** Called when no caller is left. A running read keeps its turn until it has ended. */
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
