/** The end of the process as everybody in it sees it. */
export class Shutdown {
  private readonly beginning = new AbortController();
  private readonly atLastCall: (() => void)[] = [];
  private overdue = false;

  /** Take nothing new; finish what is in flight. */
  readonly begun: AbortSignal = this.beginning.signal;

  /** Whether the last call was. */
  get isOverdue(): boolean {
    return this.overdue;
  }

  begin(): void {
    this.beginning.abort();
  }

  /** Whatever is still open is answered now. */
  callLast(): void {
    this.overdue = true;
    for (const callback of this.atLastCall.splice(0)) callback();
  }

  /** Calls back at the last call, which must be still to come. */
  onLastCall(callback: () => void): void {
    this.atLastCall.push(callback);
  }
}
