import { Injectable } from '@nestjs/common';
import type { Position } from '@ports/event-store.port';

/** Asks this process's projections to write what they have read, because a reader waits for it. */
@Injectable()
export class FlushRequests {
  private readonly listeners = new Map<string, (position: Position) => void>();

  /** Has no effect where the projection runs in another process. */
  flushUpTo(collection: string, position: Position): void {
    this.listeners.get(collection)?.(position);
  }

  /** A collection has one listener, the latest. */
  listen(collection: string, listener: (position: Position) => void): void {
    this.listeners.set(collection, listener);
  }
}
