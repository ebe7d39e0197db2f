/** How far each key has come in an order of texts. Each place that is noted is beyond those before. */
export class KeyedProgress {
  private readonly places = new Map<string, string>();

  /** Up to `unknownUpTo` any key may have come. */
  constructor(private unknownUpTo: string) {}

  note(key: string, place: string): void {
    this.places.set(key, place);
  }

  /** Up to this place any key may have come, without a note. */
  skipTo(place: string): void {
    this.unknownUpTo = place;
  }

  /** The furthest place to which one of these keys may have come. */
  furthest(keys: readonly string[]): string {
    let furthest = this.unknownUpTo;
    for (const key of keys) {
      const place = this.places.get(key);
      if (place !== undefined && place > furthest) furthest = place;
    }
    return furthest;
  }
}
