import type { FeedBatch, Position, Recorded } from '@ports/event-store.port';
import type { Stretch } from './stored-events.js';

/** Events may be large: what was read from so much text is handed out though the reader takes more at once. */
const MOST_CHARACTERS = 8 * 1024 * 1024;

/** What a feed has read and not handed out yet. */
export class EventBatch {
  private readonly events: Recorded[] = [];
  private characters = 0;

  get isEnough(): boolean {
    return this.characters >= MOST_CHARACTERS;
  }

  add({ events, characters }: Stretch): void {
    this.events.push(...events);
    this.characters += characters;
  }

  /** Leaves nothing. */
  take(upTo: Position): FeedBatch {
    this.characters = 0;
    return { events: this.events.splice(0), upTo };
  }
}
