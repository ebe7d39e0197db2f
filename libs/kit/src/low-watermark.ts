/** Offsets that are taken in order and done in any order: everything before the watermark is done. */
export class LowWatermark<Offset> {
  /** A set keeps insertion order. */
  private readonly open = new Set<Offset>();

  get oldest(): Offset | undefined {
    const [oldest] = this.open;
    return oldest;
  }

  /** Takes the next offset; it is done once the returned function is called. */
  take(offset: Offset): () => void {
    this.open.add(offset);
    return () => void this.open.delete(offset);
  }
}
