/** The end of the process as everybody in it sees it. */
export class Shutdown {
  private readonly beginning = new AbortController();
  private readonly lastCall = new AbortController();

  /** Take nothing new; finish what is in flight. */
  readonly begun: AbortSignal = this.beginning.signal;
  /** Answer what is still open now. */
  readonly overdue: AbortSignal = this.lastCall.signal;

  begin(): void {
    this.beginning.abort();
  }

  callLast(): void {
    this.lastCall.abort();
  }
}
