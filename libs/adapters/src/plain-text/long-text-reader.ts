import { Worker } from 'node:worker_threads';
import type { LongText } from './long-text.js';
// This import makes the compiler emit the worker's file.
import type {} from './long-text.worker.js';

/** In MiB: a text of which the thread has to hold more ends the thread, not the process. */
const MAX_HELD = 512;

/** Reads long texts on a thread of their own, so that they delay nobody else. The first text starts the thread. */
export class LongTextReader {
  private worker: Worker | null = null;
  private settle: { readonly resolve: (words: string) => void; readonly reject: (error: Error) => void } | null = null;

  /** To be called for one text at a time. Rejects where the thread ends; the next text has a new one. */
  read(text: LongText): Promise<string> {
    const worker = (this.worker ??= this.started());
    worker.ref();
    worker.postMessage(text);
    return new Promise<string>((resolve, reject) => (this.settle = { resolve, reject })).finally(() => worker.unref());
  }

  private started(): Worker {
    const worker = new Worker(new URL('./long-text.worker.js', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MAX_HELD },
    });
    const lose = () => {
      this.worker = null;
      this.settle?.reject(new Error('The thread that reads long texts ended.'));
    };
    return worker
      .on('message', (words: string) => this.settle?.resolve(words))
      .on('error', lose)
      .on('exit', lose);
  }
}
