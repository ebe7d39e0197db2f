import type { Clock } from '@ports/clock.port';

/** What is carried out at once, and what may wait behind it: a request of each connection that there may be. */
const MOST_AT_ONCE = 16;
const MOST_WAITING = 1_000;
/** Of answers that the client has not taken yet. */
const MOST_UNREAD = 16 * 1_048_576;
/** How long an answer may be on the average: who asks for longer ones gets fewer. */
const CHARACTERS_PER_READ = 160 * 1_024;
const LOOK_AGAIN_MS = 250;

/**
 * What the reads of one project may take of the process. Answers cost their length: one of a megabyte keeps everybody else
 * waiting for tens of milliseconds, and lies in memory until it is taken.
 */
export class ReadShare {
  private underWay = 0;
  private unread = 0;
  /** Characters that may be answered now; below zero after long answers. */
  private left = Infinity;
  private perSecond = 0;
  private filledAt: number;
  private readonly line: (() => void)[] = [];
  private looking = false;

  constructor(
    private readonly clock: Clock,
    /** At its end the process answers what it has taken. */
    private readonly isEnding: () => boolean,
  ) {
    this.filledAt = clock.elapsed();
  }

  /** Calls `go` now or as soon as there is room; false where too many wait already. `perSecond`: reads; 0: any number. */
  enter(perSecond: number, go: () => void): boolean {
    this.perSecond = perSecond;
    if (this.line.length === 0 && this.hasRoom()) {
      this.underWay += 1;
      go();
      return true;
    }
    if (this.line.length >= MOST_WAITING) return false;
    this.line.push(go);
    this.lookLater();
    return true;
  }

  /** One that went is answered with so many characters. */
  answered(characters: number): void {
    this.underWay -= 1;
    this.unread += characters;
    this.left -= characters;
    this.serve();
  }

  /** So many characters were taken by the client, or nobody is there to take them. */
  taken(characters: number): void {
    this.unread -= characters;
    this.serve();
  }

  private serve(): void {
    while (this.line.length > 0 && this.hasRoom()) {
      this.underWay += 1;
      this.line.shift()?.();
    }
  }

  private hasRoom(): boolean {
    if (this.underWay >= MOST_AT_ONCE || this.unread >= MOST_UNREAD) return false;
    this.fill();
    return this.left > 0 || this.isEnding();
  }

  private fill(): void {
    const now = this.clock.elapsed();
    const most = this.perSecond * CHARACTERS_PER_READ;
    this.left = this.perSecond === 0 ? Infinity : Math.min(most, this.left + ((now - this.filledAt) / 1_000) * most);
    this.filledAt = now;
  }

  private lookLater(): void {
    if (this.looking) return;
    this.looking = true;
    this.clock.after(LOOK_AGAIN_MS, () => {
      this.looking = false;
      this.serve();
      if (this.line.length > 0) this.lookLater();
    });
  }
}
