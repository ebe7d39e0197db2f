import { DomainError } from '@domain/kernel/domain-error';
import { KeyedQueue, type Ticket } from '@kit/keyed-queue';

/** As many as a burst of requests brings at once: mostly a read takes a moment. */
const MOST_WAITING = 200;

/** What is to be read, under a name within its line. */
export interface LongRead<Found> {
  readonly line: string;
  readonly name: string;
  /** Ends early when the signal aborts: then nobody wants it any more. */
  readonly load: (unwanted: AbortSignal) => Promise<Found>;
}

interface SharedRead<Found> {
  readonly ticket: Ticket;
  readonly found: Promise<Found>;
  readonly unwanted: AbortController;
  wantedBy: number;
  hasBegun: boolean;
}

/** Reads one at a time in each line, each for all who asked for it before it began: it may lack what was written since. */
export class SharedReads<Found> {
  private readonly queue = new KeyedQueue();
  private readonly toBegin = new Map<string, SharedRead<Found>>();

  /**
   * What `use` makes of what is read, before the next in line begins. Rejects at once when who asks leaves before it is read,
   * and with `service_unavailable` where two hundred reads wait already.
   */
  async run<Result>(
    wanted: LongRead<Found>,
    use: (found: Found) => Promise<Result>,
    leaving = new AbortController().signal,
  ): Promise<Result> {
    leaving.throwIfAborted();
    const key = `${wanted.line}\n${wanted.name}`;
    const read = this.toBegin.get(key) ?? this.enter(key, wanted);
    read.wantedBy += 1;
    try {
      return await use(await Promise.race([read.found, departure(leaving)]));
    } finally {
      read.wantedBy -= 1;
      if (read.wantedBy === 0) this.end(key, read);
    }
  }

  private enter(key: string, { line, load }: LongRead<Found>): SharedRead<Found> {
    if (this.queue.waiting(line) >= MOST_WAITING) {
      throw new DomainError('service_unavailable', 'Too much is looked up at once. Try again.', { retryAfter: 1 });
    }
    const ticket = this.queue.enter(line);
    const unwanted = new AbortController();
    const found = ticket.turn.then(() => {
      unwanted.signal.throwIfAborted();
      this.toBegin.delete(key);
      read.hasBegun = true;
      return load(unwanted.signal);
    });
    const read: SharedRead<Found> = { ticket, found, unwanted, wantedBy: 0, hasBegun: false };
    this.toBegin.set(key, read);
    return read;
  }

  private end(key: string, { ticket, found, unwanted, hasBegun }: SharedRead<Found>): void {
    unwanted.abort();
    if (hasBegun) return void found.then(ticket.leave, ticket.leave);
    this.toBegin.delete(key);
    ticket.leave();
  }
}

function departure(leaving: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    leaving.addEventListener('abort', () => reject(leaving.reason as Error), { once: true });
  });
}
