export class Shutdown {
  private readonly beginning = new AbortController();
  private readonly atLastCall: (() => void)[] = [];
  private overdue = false;

  /** Aborts when the shutdown begins: take no new work, finish what is in flight. */
  readonly begun: AbortSignal = this.beginning.signal;

  get isOverdue(): boolean {
    return this.overdue;
  }

  begin(): void {
    this.beginning.abort();
  }

  /** Ends the grace period: open requests are answered now. */
  callLast(): void {
    this.overdue = true;
    for (const callback of this.atLastCall.splice(0)) callback();
  }

  /** Must be called before `callLast`. */
  onLastCall(callback: () => void): void {
    this.atLastCall.push(callback);
  }
}
