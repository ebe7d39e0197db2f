import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { type LongText, wordsOfLongText } from './long-text.js';

/** A tenth of the CPU time of threads that serve requests, when both are busy. */
const BEHIND_REQUESTS = 10;

// On Linux 0 means the calling thread, elsewhere the whole process.
if (process.platform === 'linux') setPriority(0, BEHIND_REQUESTS);

parentPort?.on('message', (text: LongText) => {
  void wordsOfLongText(text).then((words) => parentPort?.postMessage(words));
});
