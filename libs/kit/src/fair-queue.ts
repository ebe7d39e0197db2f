export interface Turn<Item> {
  readonly owner: string;
  readonly items: readonly Item[];
}

/**
 * Items of many owners: first come, first served within an owner, round robin among owners. An owner with many items delays another by at
 * most one turn. Items are compared by identity.
 */
export class FairQueue<Item> {
  /** In the order of turns; an owner without items is absent. */
  private readonly lines = new Map<string, Item[]>();
  private readonly paused = new Map<string, Item[]>();

  constructor(private readonly mostPerOwner = Infinity) {}

  get owners(): number {
    return this.lines.size;
  }

  sizeOf(owner: string): number {
    return this.lineOf(owner)?.length ?? 0;
  }

  /** The number of items per owner, paused owners included. */
  *sizes(): Generator<readonly [owner: string, size: number]> {
    for (const lines of [this.lines, this.paused]) for (const [owner, line] of lines) yield [owner, line.length];
  }

  get nextOwner(): string | undefined {
    return this.lines.keys().next().value;
  }

  /** The owner's first items, at most `most`; they stay in the queue. */
  peek(owner: string, most: number): readonly Item[] {
    return this.lineOf(owner)?.slice(0, most) ?? [];
  }

  /** False, and nothing is added, if the owner's share of the queue is full. */
  push(owner: string, item: Item): boolean {
    const line = this.lineOf(owner);
    if ((line?.length ?? 0) >= this.mostPerOwner) return false;
    if (line) line.push(item);
    else this.lines.set(owner, [item]);
    return true;
  }

  /** Whether the item was waiting. Its owner keeps its turn. */
  remove(owner: string, item: Item): boolean {
    const line = this.lineOf(owner);
    const index = line?.indexOf(item) ?? -1;
    if (!line || index === -1) return false;
    line.splice(index, 1);
    if (line.length === 0) this.lines.delete(owner);
    return true;
  }

  /** Takes all that the owner has. */
  drop(owner: string): readonly Item[] {
    const line = this.lineOf(owner) ?? [];
    this.lines.delete(owner);
    this.paused.delete(owner);
    return line;
  }

  /** Takes up to `most` items of the first owner whose first item satisfies `mayGo`; only that owner goes to the end of the round. */
  next(most = 1, mayGo: (owner: string, first: Item) => boolean = always): Turn<Item> | undefined {
    for (const [owner, line] of this.lines) {
      const [first] = line;
      if (first === undefined || !mayGo(owner, first)) continue;
      return { owner, items: this.take(owner, line, most) };
    }
    return undefined;
  }

  /** Gives this owner no turn until `resume`; pushes still work. */
  pause(owner: string): void {
    if (this.paused.has(owner)) return;
    this.paused.set(owner, this.lines.get(owner) ?? []);
    this.lines.delete(owner);
  }

  /** A resumed owner joins at the end of the round. */
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
