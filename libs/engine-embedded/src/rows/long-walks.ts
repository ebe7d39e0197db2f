import { StoreUnavailable } from '@ports/event-store.port';

/** As many as a burst of requests brings at once: mostly a walk ends where it began. */
const MOST_WAITING = 200;

/** Walks through any number of rows, one at a time of those in one line: many would leave others no time. */
export class LongWalks {
  /** Who waits behind the first of a line. Where nobody walks there is none. */
  private readonly lines = new Map<string, (() => void)[]>();

  /** Rejects with `StoreUnavailable` where two hundred wait already. */
  async run<Found>(name: string, walk: () => Promise<Found>): Promise<Found> {
    await this.turnOf(name);
    try {
      return await walk();
    } finally {
      const next = this.lines.get(name)?.shift();
      if (next) next();
      else this.lines.delete(name);
    }
  }

  private turnOf(name: string): Promise<void> | undefined {
    const line = this.lines.get(name);
    if (!line) return void this.lines.set(name, []);
    if (line.length >= MOST_WAITING) throw new StoreUnavailable('too many lists of this project are looked through');
    return new Promise((resolve) => line.push(resolve));
  }
}
