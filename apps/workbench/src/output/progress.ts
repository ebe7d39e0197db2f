import type { Position } from '@ports/event-store.port';

/** Tells how far the reading of the log is. */
export interface Progress {
  begin(name: string, head: Position): void;
  read(events: number, position: Position): void;
  end(): void;
}
