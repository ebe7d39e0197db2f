import type { IncomingMessage } from 'node:http';

const MAX_BYTES = 16 * 1024 * 1024;
const MAX_MS = 3_000;
/** A shorter chunk counts as this many bytes, as it costs no less. */
const MIN_BYTES = 4_096;

/**
 * Reads and drops the rest of a refused request's body, at most 16 MiB and for at most 3 s; calls back with whether it was
 * read to its end. Closing the connection while the client still sends would reset it, and the client would not see the answer.
 */
export function whenReadToTheEnd(message: IncomingMessage, callback: (isRead: boolean) => void): void {
  if (message.complete || message.readableEnded || message.destroyed || !hasBody(message)) return callback(true);
  let left = MAX_BYTES;
  const finish = () => {
    clearTimeout(timer);
    message.off('data', count).off('end', finish).off('close', finish);
    callback(message.complete);
  };
  const count = (chunk: Buffer) => {
    left -= Math.max(chunk.length, MIN_BYTES);
    if (left < 0) finish();
  };
  const timer = setTimeout(finish, MAX_MS);
  message.on('data', count).on('end', finish).on('close', finish).resume();
}

/** Whether a body follows the head. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
