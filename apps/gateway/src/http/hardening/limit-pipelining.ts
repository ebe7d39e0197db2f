import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const MAX_UNANSWERED = 64;

const lastAnswers = new WeakMap<Socket, ServerResponse>();

/**
 * Node starts all requests that have arrived on a connection, so one pipelining client would starve the others: closes
 * connections with too many unanswered requests. Guards only `request` listeners that exist at the call.
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
    // Each unanswered request may listen for the connection's close; Node warns above ten listeners.
    socket.setMaxListeners(MAX_UNANSWERED + 16);
    response.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
    for (const handle of handlers) handle(request, response);
  });
}

/** The response to the connection's last request, if the server is guarded. */
export function lastAnswerOn(socket: Socket): ServerResponse | undefined {
  return lastAnswers.get(socket);
}
