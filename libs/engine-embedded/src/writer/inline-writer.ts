import type { WriteAnswer, WriteRequest } from './requests.js';
import { openForWriting } from './store-file.js';
import { StoreWriter } from './store-writer.js';
import type { WriterThread } from './writer-thread.js';

/** The writer on the caller's thread, for test runners, which cannot start a worker. */
export class InlineWriter implements WriterThread {
  readonly opened;
  private listener: (answers: readonly WriteAnswer[]) => void = () => undefined;

  private constructor(private readonly writer: StoreWriter) {
    this.opened = writer.open();
  }

  static open(file: string): Promise<InlineWriter> {
    return Promise.resolve().then(() => new InlineWriter(new StoreWriter(openForWriting(file))));
  }

  post(batch: readonly WriteRequest[]): void {
    this.listener(this.writer.commit(batch));
  }

  onAnswers(listener: (answers: readonly WriteAnswer[]) => void): void {
    this.listener = listener;
  }

  onLost(): void {
    // It ends only with this process.
  }

  close(): Promise<void> {
    this.writer.close();
    return Promise.resolve();
  }
}
