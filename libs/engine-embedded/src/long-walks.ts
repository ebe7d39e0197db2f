import { StoreUnavailable } from '@ports/event-store.port';

/** As many as a burst of requests brings at once: mostly a walk ends where it began. */
const MOST_WAITING = 200;

/** Walks through any number of rows, one at a time for each project: many of one would leave the others no time. */
export class LongWalks {
  /** Who waits behind the walk of a project. One that walks nowhere is not here. */
  private readonly lines = new Map<string, (() => void)[]>();

  /** Rejects with `StoreUnavailable` where two hundred wait already. */
  async run<Found>(projectId: string, walk: () => Promise<Found>): Promise<Found> {
    await this.turnOf(projectId);
    try {
      return await walk();
    } finally {
      const next = this.lines.get(projectId)?.shift();
      if (next) next();
      else this.lines.delete(projectId);
    }
  }

  private turnOf(projectId: string): Promise<void> | undefined {
    const line = this.lines.get(projectId);
    if (!line) return void this.lines.set(projectId, []);
    if (line.length >= MOST_WAITING) throw new StoreUnavailable('too many lists of this project are looked through');
    return new Promise((resolve) => line.push(resolve));
  }
}
