/** How far each key has come in an ordered log. Places must be noted in ascending order. */
export class KeyedProgress {
  private readonly places = new Map<string, string>();

  constructor(private unknownUpTo: string) {}

  note(key: string, place: string): void {
    this.places.set(key, place);
  }

  /** Any key may have come up to this place. */
  skipTo(place: string): void {
    this.unknownUpTo = place;
  }

  furthest(keys: readonly string[]): string {
    let furthest = this.unknownUpTo;
    for (const key of keys) {
      const place = this.places.get(key);
      if (place !== undefined && place > furthest) furthest = place;
    }
    return furthest;
  }
}
