/** One reading at a time for all callers. Each gets one begun after its call, since an earlier one may lack what the caller knows. */
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
