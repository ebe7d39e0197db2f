import type { FeedBatch, Position, Recorded } from '@ports/event-store.port';
import type { Stretch } from './stored-events.js';

/** A batch with this much text is delivered before it is full, since events may be large. */
const MAX_CHARACTERS = 8 * 1024 * 1024;

export class EventBatch {
  private readonly events: Recorded[] = [];
  private characters = 0;

  get isEnough(): boolean {
    return this.characters >= MAX_CHARACTERS;
  }

  add({ events, characters }: Stretch): void {
    this.events.push(...events);
    this.characters += characters;
  }

  take(upTo: Position): FeedBatch {
    this.characters = 0;
    return { events: this.events.splice(0), upTo };
  }
}
