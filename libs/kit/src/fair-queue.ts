/** What the owner whose turn it is gets. */
export interface Turn<Item> {
  readonly owner: string;
  /** In the order in which they were pushed; at least one. */
  readonly items: readonly Item[];
}

/**
 * Items of many owners: first come, first served within an owner, round robin among owners. An owner with many items delays
 * another by at most one turn. Items are told apart by identity.
 */
export class FairQueue<Item> {
  /** In the order of their turns; an owner without items is not here. */
  private readonly lines = new Map<string, Item[]>();
  /** Owners that get no turn until they are resumed. */
  private readonly paused = new Map<string, Item[]>();

  /** `mostPerOwner`: how many items of one owner may wait. */
  constructor(private readonly mostPerOwner = Infinity) {}

  /** How many owners have a turn coming. */
  get owners(): number {
    return this.lines.size;
  }

  /** How many items of this owner wait. */
  sizeOf(owner: string): number {
    return this.lineOf(owner)?.length ?? 0;
  }

  /** How many items of each owner wait, paused ones included. */
  *sizes(): Generator<readonly [owner: string, size: number]> {
    for (const lines of [this.lines, this.paused]) for (const [owner, line] of lines) yield [owner, line.length];
  }

  /** The owner whose turn it is. */
  get nextOwner(): string | undefined {
    return this.lines.keys().next().value;
  }

  /** The first items of this owner, up to so many; they stay. */
  peek(owner: string, most: number): readonly Item[] {
    return this.lineOf(owner)?.slice(0, most) ?? [];
  }

  /** False, and nothing is added, where as many items of this owner wait as may. */
  push(owner: string, item: Item): boolean {
    const line = this.lineOf(owner);
    if ((line?.length ?? 0) >= this.mostPerOwner) return false;
    if (line) line.push(item);
    else this.lines.set(owner, [item]);
    return true;
  }

  /** Whether the item was waiting. Its owner keeps its turn for what else it has. */
  remove(owner: string, item: Item): boolean {
    const line = this.lineOf(owner);
    const index = line?.indexOf(item) ?? -1;
    if (!line || index === -1) return false;
    line.splice(index, 1);
    if (line.length === 0) this.lines.delete(owner);
    return true;
  }

  /**
   * Takes up to `most` items of the first owner in the round for whose first item `mayGo` holds; that owner goes to the end
   * of the round. Owners passed over keep their turn.
   */
  next(most = 1, mayGo: (owner: string, first: Item) => boolean = always): Turn<Item> | undefined {
    for (const [owner, line] of this.lines) {
      const [first] = line;
      if (first === undefined || !mayGo(owner, first)) continue;
      return { owner, items: this.take(owner, line, most) };
    }
    return undefined;
  }

  /** Gives this owner no turn for now, whatever is pushed for it. */
  pause(owner: string): void {
    if (this.paused.has(owner)) return;
    this.paused.set(owner, this.lines.get(owner) ?? []);
    this.lines.delete(owner);
  }

  /** Lets a paused owner take part again, at the end of the round. */
  resume(owner: string): void {
    const line = this.paused.get(owner);
    if (!line) return;
    this.paused.delete(owner);
    if (line.length > 0) this.lines.set(owner, line);
  }

  private take(owner: string, line: Item[], most: number): readonly Item[] {
    const items = line.splice(0, most);
    this.lines.delete(owner);
    if (line.length > 0) this.lines.set(owner, line);
    return items;
  }

  private lineOf(owner: string): Item[] | undefined {
    return this.lines.get(owner) ?? this.paused.get(owner);
  }
}

const always = () => true;
