import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one connection that are unanswered at once. */
const MAX_UNANSWERED = 64;

/** The response to the last request of each connection whose headers were parsed. */
const lastAnswers = new WeakMap<Socket, ServerResponse>();

/**
 * Stops one client from starving all others by pipelining. Node starts every request that has arrived on a connection at once,
 * thousands of them before it reads from any other connection. A connection with too many unanswered requests is closed.
 * Guards the `request` listeners that the server has at the time of the call.
 */
export function limitPipelining(server: Server): void {
  const unanswered = new WeakMap<Socket, number>();
  const handlers = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const { socket } = request;
    const count = unanswered.get(socket) ?? 0;
    if (count >= MAX_UNANSWERED || socket.destroyed) return void socket.destroy();
    unanswered.set(socket, count + 1);
    lastAnswers.set(socket, response);
    // Each unanswered request may listen for the end of its connection; Node warns of more than ten listeners.
    socket.setMaxListeners(MAX_UNANSWERED + 16);
    response.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
    for (const handle of handlers) handle(request, response);
  });
}

/** The response to the last request that a guarded server got on this connection. */
export function lastAnswerOn(socket: Socket): ServerResponse | undefined {
  return lastAnswers.get(socket);
}
