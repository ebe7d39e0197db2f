/** The state of the process's shutdown, shared by everything that takes part in it. */
export class Shutdown {
  private readonly beginning = new AbortController();
  private readonly atLastCall: (() => void)[] = [];
  private overdue = false;

  /** Aborts when the shutdown begins: take no new work, finish what is in flight. */
  readonly begun: AbortSignal = this.beginning.signal;

  /** Whether `callLast` was called. */
  get isOverdue(): boolean {
    return this.overdue;
  }

  begin(): void {
    this.beginning.abort();
  }

  /** Ends the grace period: whatever is still open is answered now. */
  callLast(): void {
    this.overdue = true;
    for (const callback of this.atLastCall.splice(0)) callback();
  }

  /** Registers a callback for `callLast`, which must not have been called yet. */
  onLastCall(callback: () => void): void {
    this.atLastCall.push(callback);
  }
}
