import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { WriteAnswer, WriteRequest, WriterOpened } from './requests.js';
// Makes the compiler emit the worker's file.
import type {} from './store.worker.js';
import type { WriterThread } from './writer-thread.js';

/** The worker's young generation: the writer's allocations live no longer than a commit. */
const YOUNG_MIB = 8;

/** The writer on its own thread, so that a sync never blocks the event loop. */
export class WorkerWriter implements WriterThread {
  private closing = false;
  private listener: (answers: readonly WriteAnswer[]) => void = () => undefined;
  private lost: (reason: string) => void = () => undefined;

  private constructor(
    private readonly worker: Worker,
    readonly opened: WriterOpened,
  ) {
    worker.on('message', (message: readonly WriteAnswer[] | 'closed') => {
      if (message !== 'closed') this.listener(message);
    });
    worker.on('error', (error) => this.lost(error.message));
    worker.on('exit', (code) => {
      if (!this.closing) this.lost(`the writer ended with code ${code}`);
    });
  }

  static async open(file: string): Promise<WorkerWriter> {
    const worker = new Worker(new URL('./store.worker.js', import.meta.url), {
      workerData: { file },
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MIB },
    });
    const [opened] = (await once(worker, 'message')) as [WriterOpened];
    return new WorkerWriter(worker, opened);
  }

  post(batch: readonly WriteRequest[]): void {
    this.worker.postMessage(batch);
  }

  onAnswers(listener: (answers: readonly WriteAnswer[]) => void): void {
    this.listener = listener;
  }

  onLost(listener: (reason: string) => void): void {
    this.lost = listener;
  }

  async close(): Promise<void> {
    this.closing = true;
    const ended = once(this.worker, 'exit');
    this.worker.postMessage('close');
    await ended;
  }
}
