/** Offsets that are taken in their order, and done in any order: everything before the watermark is done. */
export class LowWatermark<Offset> {
  /** What is not done. A set keeps the order in which it was filled. */
  private readonly open = new Set<Offset>();

  /** The oldest offset that was taken and is not done; undefined where there is none. */
  get oldest(): Offset | undefined {
    const [oldest] = this.open;
    return oldest;
  }

  /** Takes the next offset, which is done once the returned function was called. */
  take(offset: Offset): () => void {
    this.open.add(offset);
    return () => void this.open.delete(offset);
  }
}
