import { InFlight } from '@domain/kernel/in-flight';

/** A place in a queue. `turn` resolves when everybody ahead has left. */
export interface Ticket {
  readonly turn: Promise<void>;
  /** Gives the place up; from the second time on nothing happens. */
  leave(): void;
}

const NOW = Promise.resolve();

/** First come, first served, per key; keys nobody waits for cost nothing. */
export class KeyedQueue {
  /** Who waits behind the one whose turn it is. A key with nobody in it is not here. */
  private readonly lines = new InFlight<string, Place[]>();

  /** Whether anybody is in line. */
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

  /** Runs `work` alone under its key. */
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
    const place = this.lines.get(key)?.shift();
    if (place) place.arrive();
    else this.lines.delete(key);
  }
}

interface Place {
  arrive: () => void;
}

/** Who leaves while waiting takes no room in the line any more. */
function enqueued(line: Place[], next: () => void): Ticket {
  let stage: 'waiting' | 'inside' | 'gone' = 'waiting';
  const place: Place = { arrive: () => {} };
  const turn = new Promise<void>((resolve) => {
    place.arrive = () => {
      stage = 'inside';
      resolve();
    };
  });
  line.push(place);
  const leave = () => {
    const left = stage;
    stage = 'gone';
    if (left === 'waiting') line.splice(line.indexOf(place), 1);
    if (left === 'inside') next();
  };
  return { turn, leave };
}
