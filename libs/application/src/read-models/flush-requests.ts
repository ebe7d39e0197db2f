import { Injectable } from '@nestjs/common';
import type { Position } from '@ports/event-store.port';

/** Carries readers' requests to the projections of this process: write what you have read, somebody waits for it. */
@Injectable()
export class FlushRequests {
  private readonly listeners = new Map<string, (position: Position) => void>();

  /** Asks the collection's projection for everything up to `position`. Nothing happens where it runs in another process. */
  flushUpTo(collection: string, position: Position): void {
    this.listeners.get(collection)?.(position);
  }

  /** A collection has one listener, the latest. */
  listen(collection: string, listener: (position: Position) => void): void {
    this.listeners.set(collection, listener);
  }
}
