import type { WriteAnswer, WriteRequest, WriterOpened } from './requests.js';

/** The writer, on any thread. Carries out batches in order. */
export interface WriterThread {
  readonly opened: WriterOpened;

  post(batch: readonly WriteRequest[]): void;

  /** Answers come in the order of requests; one call may bring those of several commits. */
  onAnswers(listener: (answers: readonly WriteAnswer[]) => void): void;

  onLost(listener: (reason: string) => void): void;

  /** Checkpoints, closes and ends. Call once every request was answered. */
  close(): Promise<void>;
}
