import { onAbort } from '@ports/on-abort';

/** Follows its parents. Must be unlinked when the work ends: a parent may live as long as the process. */
export class LinkedAbort {
  private readonly controller = new AbortController();
  private readonly leaves: readonly (() => void)[];
  /** Does not abort the parents. */
  readonly abort = (): void => this.controller.abort();

  constructor(...parents: readonly AbortSignal[]) {
    this.leaves = parents.map((parent) => onAbort(parent, this.abort));
    if (parents.some((parent) => parent.aborted)) this.abort();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  unlink(): void {
    for (const leave of this.leaves) leave();
  }
}
