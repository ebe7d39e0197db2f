interface Cell<Value> {
  value: Value | undefined;
}

/**
 * What is under way, by its key, where thousands come and go a second. A `Map` that has taken as many keys as it had room
 * for gets a new table, and the old one keeps pointing to what it held, and to the new one. Once such a table has grown old,
 * V8 takes all that follow it for alive, with whatever their entries lead to, until it collects the old as well. So a value
 * stands in a cell here, which is emptied when the value leaves.
 */
export class InFlight<Key, Value> {
  private readonly cells = new Map<Key, Cell<Value>>();

  get size(): number {
    return this.cells.size;
  }

  /** What came before all others that are here. */
  get oldest(): Value | undefined {
    return this.cells.values().next().value?.value;
  }

  has(key: Key): boolean {
    return this.cells.has(key);
  }

  get(key: Key): Value | undefined {
    return this.cells.get(key)?.value;
  }

  /** A key that is here keeps its place. */
  set(key: Key, value: Value): void {
    const cell = this.cells.get(key);
    if (cell) cell.value = value;
    else this.cells.set(key, { value });
  }

  /** Whether it was here. */
  delete(key: Key): boolean {
    const cell = this.cells.get(key);
    if (!cell) return false;
    cell.value = undefined;
    return this.cells.delete(key);
  }

  /** As they came. */
  keys(): IterableIterator<Key> {
    return this.cells.keys();
  }

  /** All that are here now, as they came: others may come and go while they are looked at. */
  values(): Value[] {
    return Array.from(this.cells.values(), ({ value }) => value as Value);
  }
}
