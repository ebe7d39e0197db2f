import type { IncomingMessage } from 'node:http';

const MOST_BYTES = 16 * 1024 * 1024;
const LONGEST_MS = 3_000;

/**
 * A client that is refused before its body was read may still be sending: answering and closing at once would reset
 * the connection, and the client would never see why. What is left is read and dropped first, within bounds.
 */
export function whenReadToTheEnd(message: IncomingMessage, callback: () => void): void {
  if (message.complete || message.readableEnded || message.destroyed || !hasBody(message)) return callback();
  let left = MOST_BYTES;
  const finish = () => {
    clearTimeout(timer);
    message.off('data', count).off('end', finish).off('close', finish);
    callback();
  };
  const count = (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) finish();
  };
  const timer = setTimeout(finish, LONGEST_MS);
  message.on('data', count).on('end', finish).on('close', finish).resume();
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
