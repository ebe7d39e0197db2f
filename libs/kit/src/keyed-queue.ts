/** A place in the queue of a key. The holder must call `leave` (a second call does nothing), also when it stops waiting. */
export interface Ticket {
  /** Resolves when everyone ahead has left. Never rejects. */
  readonly turn: Promise<void>;
  leave(): void;
}

const NOW = Promise.resolve();

/** First come, first served, one at a time per key. An unused key takes no memory. */
export class KeyedQueue {
  private readonly lines = new Map<string, Waiting[]>();

  has(key: string): boolean {
    return this.lines.has(key);
  }

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

  /** Runs `work` alone under its key, in order of entry. Rejects as `work` does. */
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
