import type { IncomingMessage } from 'node:http';

const MAX_BYTES = 16 * 1024 * 1024;
const MAX_MS = 3_000;
/** A shorter chunk counts as this many bytes: it costs as much. */
const MIN_BYTES = 4_096;

/**
 * Drains a refused request's body, at most 16 MiB and 3 s: closing while the client still sends resets the connection, and the
 * client would not see the answer.
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

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
