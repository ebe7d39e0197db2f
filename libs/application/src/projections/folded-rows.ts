import { LRUCache } from 'lru-cache';
import type { Position } from '@ports/event-store.port';
import type { StoredRow } from '@ports/read-models.port';
import type { ProjectedRow } from '../read-models/projection.js';

/** A row not yet written. Its text is rendered once, at the write, not for every event. */
export type Folded = Omit<StoredRow, 'text'> & Pick<ProjectedRow<object>, 'text'>;

export type Load = (ids: readonly string[]) => Promise<readonly (StoredRow | null)[]>;

export class FoldedRows {
  private changed = new Map<string, Folded>();
  /** The rows of the last batches, until they are marked as written. */
  private pending = new Map<string, Folded>();
  private readonly written: LRUCache<string, Folded>;
  private rowsBegun = 0;

  constructor(
    private readonly load: Load,
    cachedRows: number,
  ) {
    this.written = new LRUCache({ max: cachedRows });
  }

  get size(): number {
    return this.changed.size;
  }

  get begun(): number {
    return this.rowsBegun;
  }

  known(id: string): Folded | undefined {
    return this.changed.get(id) ?? this.pending.get(id) ?? this.written.get(id);
  }

  /** Merges the known rows before reading the others: they may be written and leave the cache meanwhile. */
  async loaded(wanted: readonly string[], ids: readonly string[]): Promise<ReadonlyMap<string, Folded>> {
    if (wanted.length === 0) return NONE;
    const rows = new Map<string, Folded>();
    for (const id of ids) {
      const known = this.known(id);
      if (known) rows.set(id, known);
    }
    for (const row of await this.load(wanted)) if (row) rows.set(row.id, folded(row));
    return rows;
  }

  /** Skipped for a row that has already seen `position`. */
  change(id: string, position: Position, loaded: ReadonlyMap<string, Folded>, project: Project): void {
    const before = this.known(id) ?? loaded.get(id) ?? null;
    if (before && before.position >= position) return;
    const after = project(before);
    if (!after) return;
    if (!before) this.rowsBegun++;
    const { projectId, deleted, row, text } = after;
    const createdAt = before?.createdAt ?? after.createdAt;
    const sortId = before?.sortId ?? position;
    this.changed.set(id, { id, projectId, createdAt, sortId, position, deleted, row, ...(text && { text }) });
  }

  /** The rows must be marked as written before the next call. */
  takeChanged(): readonly Folded[] {
    this.pending = this.changed;
    this.changed = new Map();
    return [...this.pending.values()];
  }

  markWritten(): void {
    for (const [id, row] of this.pending) this.written.set(id, row);
    this.pending = new Map();
  }
}

type Project = (before: Folded | null) => ProjectedRow<object> | null;

const NONE: ReadonlyMap<string, Folded> = new Map();

function folded({ text, ...row }: StoredRow): Folded {
  return text === undefined ? row : { text: () => text, ...row };
}
