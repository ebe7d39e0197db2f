interface Cell<Value> {
  value: Value | undefined;
}

/**
 * Calls under way by key, in order of arrival, for places where thousands come and go each second. A `Map` that runs out of
 * room gets a new table, and the old table keeps references to its values and to the new table. Once such a table is in V8's
 * old generation, every later table and its values survive minor collections too. So each value stands in a cell here, which
 * is emptied when the value leaves. Use a plain `Map` for anything that is not that busy.
 */
export class PendingCalls<Key, Value> {
  private readonly cells = new Map<Key, Cell<Value>>();

  get size(): number {
    return this.cells.size;
  }

  /** The value that came before all others. */
  get oldest(): Value | undefined {
    return this.cells.values().next().value?.value;
  }

  has(key: Key): boolean {
    return this.cells.has(key);
  }

  get(key: Key): Value | undefined {
    return this.cells.get(key)?.value;
  }

  /** A key that is present keeps its position. */
  set(key: Key, value: Value): void {
    const cell = this.cells.get(key);
    if (cell) cell.value = value;
    else this.cells.set(key, { value });
  }

  /** Whether the key was present. */
  delete(key: Key): boolean {
    const cell = this.cells.get(key);
    if (!cell) return false;
    cell.value = undefined;
    return this.cells.delete(key);
  }

  /** In order of arrival. */
  keys(): IterableIterator<Key> {
    return this.cells.keys();
  }

  /** A copy in order of arrival: calls may come and go while the caller iterates. */
  values(): Value[] {
    return Array.from(this.cells.values(), ({ value }) => value as Value);
  }
}
