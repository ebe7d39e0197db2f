/** A place in the queue of a key. The holder must call `leave`, also when it gives up waiting. */
export interface Ticket {
  /** Resolves when everyone ahead has left. Never rejects. */
  readonly turn: Promise<void>;
  /** Gives the place up; a second call does nothing. */
  leave(): void;
}

const NOW = Promise.resolve();

/** First come, first served, one at a time per key. A key nobody has entered takes no memory. */
export class KeyedQueue {
  /** By key, the places behind the one whose turn it is. */
  private readonly lines = new Map<string, Waiting[]>();

  /** Whether anyone is in the queue of this key, be it the one whose turn it is. */
  has(key: string): boolean {
    return this.lines.has(key);
  }

  /** How many wait behind the one whose turn it is. */
  waiting(key: string): number {
    return this.lines.get(key)?.length ?? 0;
  }

  enter(key: string): Ticket {
    const line = this.lines.get(key);
    if (line) return enqueued(line, () => this.next(key));
    this.lines.set(key, []);
    let inside = true;
    return {
      turn: NOW,
      leave: () => {
        if (inside) this.next(key);
        inside = false;
      },
    };
  }

  /** Runs `work` alone under its key, after everyone who entered before. Rejects as `work` does. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const ticket = this.enter(key);
    try {
      await ticket.turn;
      return await work();
    } finally {
      ticket.leave();
    }
  }

  private next(key: string): void {
    const waiting = this.lines.get(key)?.shift();
    if (waiting) waiting.arrive();
    else this.lines.delete(key);
  }
}

interface Waiting {
  arrive: () => void;
}

/** A ticket that has to wait. Leaving early frees its place in the line at once. */
function enqueued(line: Waiting[], next: () => void): Ticket {
  let stage: 'waiting' | 'inside' | 'gone' = 'waiting';
  const waiting: Waiting = { arrive: () => {} };
  const turn = new Promise<void>((resolve) => {
    waiting.arrive = () => {
      stage = 'inside';
      resolve();
    };
  });
  line.push(waiting);
  const leave = () => {
    const left = stage;
    stage = 'gone';
    if (left === 'waiting') line.splice(line.indexOf(waiting), 1);
    if (left === 'inside') next();
  };
  return { turn, leave };
}
