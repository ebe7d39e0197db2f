import type { WriteAnswer, WriteRequest, WriterOpened } from './requests.js';

/** Where the writer lives. Batches are carried out in the order they were posted. */
export interface WriterThread {
  readonly opened: WriterOpened;

  post(batch: readonly WriteRequest[]): void;

  /** Answers come in the order of the requests, several commits at a time perhaps. */
  onAnswers(listener: (answers: readonly WriteAnswer[]) => void): void;

  /** The writer is gone without being asked to. */
  onLost(listener: (reason: string) => void): void;

  /** After everything posted was answered: checkpoints, closes, ends. */
  close(): Promise<void>;
}
