/**
 * One reading at a time for all who ask. Each gets one that began after it asked: a reading that is under way may have missed
 * what the caller knows of.
 */
export class SharedReader<T> {
  private running: Promise<unknown> = Promise.resolve();
  private next: Promise<T> | undefined;

  constructor(private readonly source: () => Promise<T>) {}

  read(): Promise<T> {
    this.next ??= this.running.then(() => {
      this.next = undefined;
      const reading = this.source();
      this.running = reading.catch(() => undefined);
      return reading;
    });
    return this.next;
  }
}
