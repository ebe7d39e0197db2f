import type { Clock } from '@ports/clock.port';
import { MOST_CONNECTIONS } from './request-bounds.js';

/** Pages read at once, and while they are long. */
const PAGES_AT_ONCE = { short: 16, long: 2 };
/** A request of each connection that there may be. */
const MOST_WAITING = MOST_CONNECTIONS;
/** Of answers that the client has not taken yet. */
const MOST_UNREAD = 16 * 1_048_576;
/** How long an answer may be on the average: who asks for longer ones gets fewer. */
const BYTES_PER_ANSWER = 64 * 1_024;
/** Whoever may ask less often than this is answered as much. */
const USUAL_RATE = 100;
const LOOK_AGAIN_MS = 250;

/** Single things are mostly short and wait for nothing but what has been answered already. */
export type AnswerKind = 'single' | 'page';
const KINDS: readonly AnswerKind[] = ['single', 'page'];

/**
 * What the answers to one project's reads, or to its writes, may take of the process. They cost their length: one of a
 * megabyte keeps everybody else waiting for tens of milliseconds, and lies in memory until it is taken.
 */
export class AnswerShare {
  private pages = 0;
  /** What the last few pages came to, in bytes. */
  private usual = 0;
  private unread = 0;
  /** Bytes that may be answered now; below zero after long answers. */
  private left = Infinity;
  private perSecond = 0;
  private filledAt: number;
  private readonly lines: Readonly<Record<AnswerKind, (() => void)[]>> = { single: [], page: [] };
  private looking = false;
  private serving = false;

  constructor(
    private readonly clock: Clock,
    /** At its end the process answers what it has taken. */
    private readonly isEnding: () => boolean,
  ) {
    this.filledAt = clock.elapsed();
  }

  /** Calls `go` now or as soon as there is room; false where too many wait already. `perSecond`: requests; 0: any number. */
  enter(kind: AnswerKind, perSecond: number, go: () => void): boolean {
    this.perSecond = perSecond;
    const line = this.lines[kind];
    if (line.length === 0 && this.hasRoom(kind)) {
      this.begin(kind, go);
      return true;
    }
    if (this.waiting >= MOST_WAITING) return false;
    line.push(go);
    this.lookLater();
    return true;
  }

  /** One that went is answered with so many bytes. */
  answered(kind: AnswerKind, bytes: number): void {
    if (kind === 'page') this.end(bytes);
    this.unread += bytes;
    this.left -= bytes;
    this.serve();
  }

  /** So many bytes were taken by the client, or nobody is there to take them. */
  taken(bytes: number): void {
    this.unread -= bytes;
    this.serve();
  }

  private get bytesPerSecond(): number {
    return Math.max(this.perSecond, USUAL_RATE) * BYTES_PER_ANSWER;
  }

  private get waiting(): number {
    return this.lines.single.length + this.lines.page.length;
  }

  private serve(): void {
    // Who is refused when called is answered at once, which calls the next: a thousand of them inside one another.
    if (this.serving) return;
    this.serving = true;
    try {
      for (let kind = this.next(); kind; kind = this.next()) this.begin(kind, this.lines[kind].shift());
    } finally {
      this.serving = false;
    }
  }

  private next(): AnswerKind | undefined {
    return KINDS.find((kind) => this.lines[kind].length > 0 && this.hasRoom(kind));
  }

  private begin(kind: AnswerKind, go: (() => void) | undefined): void {
    if (kind === 'page') this.pages += 1;
    go?.();
  }

  private end(bytes: number): void {
    this.pages -= 1;
    this.usual += (bytes - this.usual) / 4;
  }

  private hasRoom(kind: AnswerKind): boolean {
    const most = this.usual > BYTES_PER_ANSWER ? PAGES_AT_ONCE.long : PAGES_AT_ONCE.short;
    if (this.unread >= MOST_UNREAD || (kind === 'page' && this.pages >= most)) return false;
    this.fill();
    return this.left > 0 || this.isEnding();
  }

  private fill(): void {
    const now = this.clock.elapsed();
    const most = this.bytesPerSecond;
    this.left = this.perSecond === 0 ? Infinity : Math.min(most, this.left + ((now - this.filledAt) / 1_000) * most);
    this.filledAt = now;
  }

  /** At its end the process waits for no debt, so that it is looked at now and then in any case. */
  private untilPaid(): number {
    if (this.left > 0) return LOOK_AGAIN_MS;
    return Math.min(LOOK_AGAIN_MS, 1 + Math.ceil((-this.left / this.bytesPerSecond) * 1_000));
  }

  private lookLater(): void {
    if (this.looking) return;
    this.looking = true;
    this.clock.after(this.untilPaid(), () => {
      this.looking = false;
      this.serve();
      if (this.waiting > 0) this.lookLater();
    });
  }
}
