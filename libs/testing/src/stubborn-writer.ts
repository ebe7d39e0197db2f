import type { WriteAnswer, WriteRequest } from '@engine-embedded/writer/requests';
import type { WriterThread } from '@engine-embedded/writer/writer-thread';

/** A writer thread whose answers the test gives. */
export class StubbornWriter implements WriterThread {
  readonly opened = { identity: 'log', opening: 1, leftovers: false };
  readonly batches: (readonly WriteRequest[])[] = [];
  answer: (answers: readonly WriteAnswer[]) => void = () => undefined;
  lose: (reason: string) => void = () => undefined;

  post(batch: readonly WriteRequest[]): void {
    this.batches.push(batch);
  }

  onAnswers(listener: (answers: readonly WriteAnswer[]) => void): void {
    this.answer = listener;
  }

  onLost(listener: (reason: string) => void): void {
    this.lose = listener;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
