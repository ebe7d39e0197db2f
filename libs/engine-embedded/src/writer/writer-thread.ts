import type { WriteAnswer, WriteRequest, WriterOpened } from './requests.js';

/** The writer, on whichever thread. It carries out batches in the order of posting. */
export interface WriterThread {
  readonly opened: WriterOpened;

  post(batch: readonly WriteRequest[]): void;

  /** Answers come in the order of the requests; one call may bring those of several commits. */
  onAnswers(listener: (answers: readonly WriteAnswer[]) => void): void;

  /** Called when the writer ends without `close`. */
  onLost(listener: (reason: string) => void): void;

  /** Checkpoints, closes and ends. To be called once every request was answered. */
  close(): Promise<void>;
}
