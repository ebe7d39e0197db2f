import { InFlight } from '@domain/kernel/in-flight';

/** The end of the process as everybody in it sees it. */
export class Shutdown {
  private readonly beginning = new AbortController();
  // Not the signal's listeners: it warns of every one beyond the tenth, and each open window is one.
  private readonly waiting = new InFlight<number, () => void>();
  private came = 0;
  private overdue = false;

  /** Take nothing new; finish what is in flight. */
  readonly begun: AbortSignal = this.beginning.signal;

  begin(): void {
    this.beginning.abort();
  }

  /** Whatever is still open is answered now. */
  callLast(): void {
    this.overdue = true;
    for (const callback of this.waiting.values()) callback();
  }

  /** Calls back at the last call, at once when that was; returns how to stop waiting. */
  onLastCall(callback: () => void): () => void {
    const number = (this.came += 1);
    if (this.overdue) callback();
    else this.waiting.set(number, callback);
    return () => void this.waiting.delete(number);
  }
}
