import { parentPort } from 'node:worker_threads';
import { type LongText, wordsOfLongText } from './long-text.js';

parentPort?.on('message', (text: LongText) => {
  void wordsOfLongText(text).then((words) => parentPort?.postMessage(words));
});
