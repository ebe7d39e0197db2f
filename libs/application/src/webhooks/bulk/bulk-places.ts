import { isAfter } from './matched-rows.js';

/** How far a task has come: it is behind `walked`, except at endpoints that had no room and were left at a place of their own. */
export class BulkPlaces {
  private readonly left: Map<string, string | null>;

  private constructor(
    public walked: string | null,
    left: Readonly<Record<string, string | null>>,
  ) {
    this.left = new Map(Object.entries(left));
  }

  /** The places that a stored cursor names. */
  static in(cursor: string | null): BulkPlaces {
    if (!cursor?.startsWith('{')) return new BulkPlaces(cursor, {});
    const { walked, left } = JSON.parse(cursor) as { walked: string | null; left: Record<string, string | null> };
    return new BulkPlaces(walked, left);
  }

  get cursor(): string | null {
    if (this.left.size === 0) return this.walked;
    return JSON.stringify({ walked: this.walked, left: Object.fromEntries(this.left) });
  }

  /** Of those that were left, the one that was left or looked at longest ago. */
  get next(): readonly [endpointId: string, from: string | null] | null {
    const [first] = this.left;
    return first ?? null;
  }

  isLeft(endpointId: string): boolean {
    return this.left.has(endpointId);
  }

  leave(endpointId: string, place: string | null): void {
    this.left.delete(endpointId);
    this.left.set(endpointId, place);
  }

  /** The endpoint is where the others are. */
  join(endpointId: string): void {
    this.left.delete(endpointId);
  }

  hasPassed(place: string): boolean {
    return this.walked !== null && !isAfter(place, this.walked);
  }
}
