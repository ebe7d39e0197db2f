import { Worker } from 'node:worker_threads';
import type { LongText } from './long-text.js';
// Makes the compiler emit the worker's file.
import type {} from './long-text.worker.js';

/** In MiB: exceeding it ends the thread, not the process. */
const MAX_HELD = 512;

/** Reads long texts on a separate thread, started by the first text, so that they delay no one else. */
export class LongTextReader {
  private worker: Worker | null = null;
  private settle: { readonly resolve: (words: string) => void; readonly reject: (error: Error) => void } | null = null;

  /** One text at a time. Rejects if the thread ends; the next text starts a new one. */
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
