/** An abort controller that follows its parents. The caller must unlink it when the work ends: a parent may live as long as the process. */
export class LinkedAbort {
  private readonly controller = new AbortController();
  private readonly parents: readonly AbortSignal[];
  /** Aborts this controller; the parents stay as they are. */
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
