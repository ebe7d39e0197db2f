/** A place in a queue. `turn` resolves when everybody ahead has left. */
export interface Ticket {
  readonly turn: Promise<void>;
  leave(): void;
}

/** First come, first served, per key; keys nobody waits for cost nothing. */
export class KeyedQueue {
  private readonly tails = new Map<string, Promise<void>>();

  enter(key: string): Ticket {
    const turn = this.tails.get(key) ?? Promise.resolve();
    let leave = () => {};
    const left = new Promise<void>((resolve) => (leave = resolve));
    const tail = turn.then(() => left);
    this.tails.set(key, tail);
    void tail.then(() => {
      if (this.tails.get(key) === tail) this.tails.delete(key);
    });
    return { turn, leave: () => leave() };
  }

  /** Runs `work` alone under its key. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const ticket = this.enter(key);
    await ticket.turn;
    try {
      return await work();
    } finally {
      ticket.leave();
    }
  }
}
