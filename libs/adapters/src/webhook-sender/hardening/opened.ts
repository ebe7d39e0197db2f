import type { Socket } from 'node:net';

/** Resolves when the socket emits `event`. Rejects, with the socket destroyed, on failure and on abort. */
export function opened(socket: Socket, event: 'connect' | 'secureConnect', signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = () => void socket.destroy(new Error('given up'));
    const forget = () => signal.removeEventListener('abort', giveUp);
    signal.addEventListener('abort', giveUp, { once: true });
    // This listener stays: a later error must not end the process before the connection is used.
    socket.on('error', (error) => {
      forget();
      reject(error);
    });
    socket.once('close', () => {
      forget();
      reject(Object.assign(new Error('closed while connecting'), { code: 'ECONNRESET' }));
    });
    socket.once(event, () => {
      forget();
      resolve();
    });
    if (signal.aborted) giveUp();
  });
}
