export class UnfinishedCalls {
  private readonly all = new Set<Promise<void>>();

  add(work: Promise<unknown>): void {
    const over = () => void this.all.delete(entry);
    const entry: Promise<void> = work.then(over, over);
    this.all.add(entry);
  }

  /** Resolves when there is none, new work included. */
  async settled(): Promise<void> {
    while (this.all.size > 0) await Promise.all(this.all);
  }
}
