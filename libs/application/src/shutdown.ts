/** The end of the process as everybody in it sees it. */
export class Shutdown {
  private readonly beginning = new AbortController();
  // A set, since an AbortSignal warns of every listener beyond the tenth and each open window is one.
  private readonly waiting = new Set<() => void>();
  private overdue = false;

  /** Take nothing new; finish what is in flight. */
  readonly begun: AbortSignal = this.beginning.signal;

  begin(): void {
    this.beginning.abort();
  }

  /** Whatever is still open is answered now. */
  callLast(): void {
    this.overdue = true;
    for (const callback of this.waiting) callback();
    this.waiting.clear();
  }

  /** Calls back at the last call, at once when that was; returns how to stop waiting. */
  onLastCall(callback: () => void): () => void {
    if (this.overdue) callback();
    else this.waiting.add(callback);
    return () => this.waiting.delete(callback);
  }
}
