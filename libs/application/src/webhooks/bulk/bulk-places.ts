import { isAfter } from './matched-rows.js';

/** By endpoint id. */
type PerEndpoint<Value> = Readonly<Record<string, Value>>;

/** How far a task has come: it is behind `walked`, except at endpoints that had no room and were left at a place of their own. */
export class BulkPlaces {
  private readonly left: Map<string, string | null>;
  /** When the newest fresh delivery that was counted was made. Each endpoint's are made, and found again, in the same order. */
  private readonly countedUpTo: Map<string, number>;

  private constructor(
    public walked: string | null,
    left: PerEndpoint<string | null> = {},
    countedUpTo: PerEndpoint<number> = {},
  ) {
    this.left = new Map(Object.entries(left));
    this.countedUpTo = new Map(Object.entries(countedUpTo));
  }

  /** The places that a stored cursor names. */
  static in(cursor: string | null): BulkPlaces {
    if (!cursor?.startsWith('{')) return new BulkPlaces(cursor);
    const { walked, left, countedUpTo } = JSON.parse(cursor) as {
      readonly walked: string | null;
      readonly left: PerEndpoint<string | null>;
      readonly countedUpTo?: PerEndpoint<number>;
    };
    return new BulkPlaces(walked, left, countedUpTo);
  }

  get cursor(): string | null {
    const { walked, left, countedUpTo } = this;
    if (left.size === 0 && countedUpTo.size === 0) return walked;
    return JSON.stringify({ walked, left: Object.fromEntries(left), countedUpTo: Object.fromEntries(countedUpTo) });
  }

  /** Whether a fresh delivery was counted before the cursor was stored. */
  isCounted(endpointId: string, madeAt: number | null): boolean {
    return madeAt !== null && madeAt <= (this.countedUpTo.get(endpointId) ?? -Infinity);
  }

  count(endpointId: string, madeAt: number | null): void {
    if (madeAt !== null && !this.isCounted(endpointId, madeAt)) this.countedUpTo.set(endpointId, madeAt);
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
