/**
 * One look at a time for all who ask. Each gets one that began after it asked: a look that is under way may have missed what
 * the caller knows of.
 */
export class FreshReads<T> {
  private running: Promise<unknown> = Promise.resolve();
  private next: Promise<T> | undefined;

  constructor(private readonly look: () => Promise<T>) {}

  ask(): Promise<T> {
    this.next ??= this.running.then(() => {
      this.next = undefined;
      const looked = this.look();
      this.running = looked.catch(() => undefined);
      return looked;
    });
    return this.next;
  }
}
