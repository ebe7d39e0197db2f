import { LinkedAbort } from '../../runtime/linked-abort.js';

/** The end of a turn, by its reply or by giving it up. Most turns end without anybody to tell: only who asks has a signal made. */
export class TurnEnd {
  private over: LinkedAbort | undefined;
  private isOver = false;

  constructor(private readonly givingUp: AbortSignal) {}

  get signal(): AbortSignal {
    this.over ??= new LinkedAbort(this.givingUp);
    if (this.isOver) this.over.abort();
    return this.over.signal;
  }

  /** The turn has its reply, or never will have one. */
  end(): void {
    this.isOver = true;
    this.over?.abort();
  }
}
