import type { FrozenEvent } from '@domain/delivery/delivery.events';

/** In two generations: what is put in last is kept, what is older goes when there is this much again. */
const MOST_CHARACTERS = 4_000_000;

/** Events frozen or read by this process a moment ago: their attempts mostly begin before they would have to be read again. */
export class FrozenEvents {
  private young = new Map<string, FrozenEvent>();
  private old = new Map<string, FrozenEvent>();
  private characters = 0;

  get(eventId: string): FrozenEvent | undefined {
    return this.young.get(eventId) ?? this.old.get(eventId);
  }

  drop(eventId: string): void {
    this.characters -= this.young.get(eventId)?.body.length ?? 0;
    this.young.delete(eventId);
    this.old.delete(eventId);
  }

  put(event: FrozenEvent): void {
    this.characters += event.body.length - (this.young.get(event.eventId)?.body.length ?? 0);
    this.young.set(event.eventId, event);
    if (this.characters < MOST_CHARACTERS) return;
    this.old = this.young;
    this.young = new Map();
    this.characters = 0;
  }
}
