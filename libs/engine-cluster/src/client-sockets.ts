import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

const opener = new AsyncLocalStorage<ClientSockets>();
subscribe('net.client.socket', (message) => opener.getStore()?.add((message as { readonly socket: Socket }).socket));

/**
 * The sockets that a driver's client opens, so that they can be destroyed. gRPC waits without limit for a server that accepts a
 * connection and then stays silent, and closing its channel does not end such a connection.
 */
export class ClientSockets {
  private readonly open = new Set<Socket>();
  private isOver = false;

  /** Does work of the client. The sockets that it opens, at once or later, belong to the client. */
  run<T>(work: () => T): T {
    return opener.run(this, work);
  }

  /** Destroys them, and those that the client still opens. */
  destroy(): void {
    this.isOver = true;
    for (const socket of this.open) socket.destroy();
  }

  /** Takes a socket that was just made. */
  add(socket: Socket): void {
    this.open.add(socket);
    socket.once('close', () => this.open.delete(socket));
    // The client adds its listeners in this tick. A socket that is destroyed later ends for it like any other.
    if (this.isOver) setImmediate(() => socket.destroy());
  }
}
