import { parentPort, workerData } from 'node:worker_threads';
import { copyStore, type StoreCopy } from './copy-store.js';

export type CopyAnswer = number | { readonly failure: string };

if (parentPort) {
  const answer = await copyStore(workerData as StoreCopy).catch((error: Error): CopyAnswer => ({ failure: error.message }));
  parentPort.postMessage(answer);
}
