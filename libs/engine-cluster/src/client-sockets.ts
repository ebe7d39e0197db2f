import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

const opener = new AsyncLocalStorage<ClientSockets>();
subscribe('net.client.socket', (message) => opener.getStore()?.add((message as { readonly socket: Socket }).socket));

/**
 * The sockets that a driver's client opens. gRPC has no time limit for a connection that is accepted and then silent, and closes
 * none that is being made: only its socket can be.
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
    // It has no listeners yet: whoever opens it learns of the end like of any other.
    if (this.isOver) setImmediate(() => socket.destroy());
  }
}
