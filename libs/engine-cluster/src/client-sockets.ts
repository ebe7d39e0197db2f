import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

const opener = new AsyncLocalStorage<ClientSockets>();
subscribe('net.client.socket', (message) => opener.getStore()?.add((message as { readonly socket: Socket }).socket));

/**
 * The sockets of a driver's client, so that they can be destroyed. gRPC waits without limit for a server that accepts a connection and
 * stays silent, and closing the channel does not end that connection.
 */
export class ClientSockets {
  private readonly open = new Set<Socket>();
  private isOver = false;

  run<T>(work: () => T): T {
    return opener.run(this, work);
  }

  /** Destroys all sockets, including those the client opens later. */
  destroy(): void {
    this.isOver = true;
    for (const socket of this.open) socket.destroy();
  }

  add(socket: Socket): void {
    this.open.add(socket);
    socket.once('close', () => this.open.delete(socket));
    // The client adds its listeners in this tick, so destroy the socket after it.
    if (this.isOver) setImmediate(() => socket.destroy());
  }
}
