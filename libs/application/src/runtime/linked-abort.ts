/** A controller that aborts with any of its parents, or by itself. Unlink it when its work is over: parents may live long. */
export class LinkedAbort {
  private readonly controller = new AbortController();
  private readonly parents: readonly AbortSignal[];
  /** Ends the work; the parents go on. */
  readonly abort = (): void => this.controller.abort();

  constructor(...parents: readonly AbortSignal[]) {
    this.parents = parents;
    for (const parent of parents) {
      parent.addEventListener('abort', this.abort, { once: true });
      if (parent.aborted) this.abort();
    }
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  unlink(): void {
    for (const parent of this.parents) parent.removeEventListener('abort', this.abort);
  }
}
