import type { IncomingMessage } from 'node:http';

const MOST_BYTES = 16 * 1024 * 1024;
const LONGEST_MS = 3_000;
/** What a short chunk counts as: it costs no less. */
const LEAST_BYTES = 4_096;

/**
 * A client that is refused before its body was read may still be sending: answering and closing at once would reset
 * the connection, and the client would never see why. What is left is read and dropped first, within bounds; calls back
 * with whether that was all of it.
 */
export function whenReadToTheEnd(message: IncomingMessage, callback: (isRead: boolean) => void): void {
  if (message.complete || message.readableEnded || message.destroyed || !hasBody(message)) return callback(true);
  let left = MOST_BYTES;
  const finish = () => {
    clearTimeout(timer);
    message.off('data', count).off('end', finish).off('close', finish);
    callback(message.complete);
  };
  const count = (chunk: Buffer) => {
    left -= Math.max(chunk.length, LEAST_BYTES);
    if (left < 0) finish();
  };
  const timer = setTimeout(finish, LONGEST_MS);
  message.on('data', count).on('end', finish).on('close', finish).resume();
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
