import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { type LongText, wordsOfLongText } from './long-text.js';

/** A tenth of the time of a thread that answers requests, where both want all of it. */
const BEHIND_REQUESTS = 10;

// On Linux 0 names the calling thread alone, elsewhere the whole process.
if (process.platform === 'linux') setPriority(0, BEHIND_REQUESTS);

parentPort?.on('message', (text: LongText) => {
  void wordsOfLongText(text).then((words) => parentPort?.postMessage(words));
});
