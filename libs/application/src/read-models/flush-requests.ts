import { Injectable } from '@nestjs/common';
import type { Position } from '@ports/event-store.port';

/** What readers of this process wait for, so that projections of the same process know when to hurry. */
@Injectable()
export class Wanted {
  private readonly listeners = new Map<string, (position: Position) => void>();

  raise(collection: string, position: Position): void {
    this.listeners.get(collection)?.(position);
  }

  listen(collection: string, listener: (position: Position) => void): void {
    this.listeners.set(collection, listener);
  }
}
