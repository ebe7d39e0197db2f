import { LRUCache } from 'lru-cache';
import type { DomainEvent } from '@domain/kernel/decider';
import type { Recorded } from '@ports/event-store.port';
import type { StoredRow } from '@ports/read-models.port';
import type { ProjectedRow, Projection } from '../read-models/projection.js';

export interface RowFoldOptions {
  /** How many stored rows are cached, so that they need not be read again. */
  readonly cachedRows: number;
  /** Called for an event on which the projection throws. */
  readonly onSkipped: (record: Recorded, error: unknown) => void;
}

/** A row that is not written yet. Its text is rendered once, when it is written, not for every event that touches it. */
type Folded = Omit<StoredRow, 'text'> & Pick<ProjectedRow<object>, 'text'>;

interface Batch {
  readonly rows: readonly StoredRow[];
  readonly isLast: boolean;
}

/** An event that changes the row that another row shares. */
interface SharedChange {
  readonly id: string;
  readonly record: Recorded;
  readonly projectId: string;
}

type Project = (before: Folded | null) => ProjectedRow<object> | null;

type Load = (ids: readonly string[]) => Promise<readonly (StoredRow | null)[]>;

/**
 * Folds a projection's events into rows: one version per row, however many events touched it. It caches the rows that were
 * written, so nobody else may write them meanwhile.
 */
export class RowFold {
  /** Rows that changed since the last batches were made. */
  private changed = new Map<string, Folded>();
  /** The rows of the last batches, until they are marked as written. */
  private pending = new Map<string, Folded>();
  private readonly written: LRUCache<string, Folded>;
  private rowsBegun = 0;

  constructor(
    private readonly projection: Projection<DomainEvent>,
    private readonly load: Load,
    private readonly options: RowFoldOptions,
  ) {
    this.written = new LRUCache({ max: options.cachedRows });
  }

  /** How many rows have changed since the last batches were made. */
  get size(): number {
    return this.changed.size;
  }

  /** How many rows it has begun. */
  get begun(): number {
    return this.rowsBegun;
  }

  /** Applies events in order. An event that a row has seen already changes nothing. */
  async take(records: readonly Recorded[]): Promise<void> {
    const ids = records.map((record) => this.rowId(record));
    const wanted = this.unknown(records, ids);
    const loaded = wanted.length === 0 ? NONE : await this.loaded(wanted, ids);
    const changes: SharedChange[] = [];
    records.forEach((record, index) => {
      const id = ids[index];
      if (!id) return;
      this.apply(id, record, loaded, (before) => this.projection.project(before, record));
      const change = this.sharedChange(record, this.known(id) ?? loaded.get(id));
      if (change) changes.push(change);
    });
    if (changes.length > 0) await this.takeShared(changes);
  }

  /**
   * Yields every changed row in batches of `size`, each rendered when it is asked for; one empty batch where no row changed.
   * The batches before these must have been marked as written.
   */
  *nextBatches(size: number): Iterable<Batch> {
    this.pending = this.changed;
    this.changed = new Map();
    const rows = [...this.pending.values()];
    let from = 0;
    do {
      const batch = rows.slice(from, (from += size));
      yield { rows: batch.map(rendered), isLast: from >= rows.length };
    } while (from < rows.length);
  }

  /** The rows of the last batches are stored. */
  markWritten(): void {
    for (const [id, row] of this.pending) this.written.set(id, row);
    this.pending = new Map();
  }

  /** Also of an event that the row has seen already: the row that it shares may not have. */
  private sharedChange(record: Recorded, row: Folded | undefined): SharedChange | null {
    const { shared } = this.projection;
    if (!shared || !row) return null;
    const id = this.guarded(record, () => shared.rowId(record, row.row));
    return id === null ? null : { id, record, projectId: row.projectId };
  }

  private async takeShared(changes: readonly SharedChange[]): Promise<void> {
    const ids = [...new Set(changes.map(({ id }) => id))];
    const wanted = ids.filter((id) => !this.known(id));
    const loaded = wanted.length === 0 ? NONE : await this.loaded(wanted, ids);
    for (const { id, record, projectId } of changes) {
      this.apply(id, record, loaded, (before) => this.projection.shared?.project(before, record, projectId) ?? null);
    }
  }

  private known(id: string): Folded | undefined {
    return this.changed.get(id) ?? this.pending.get(id) ?? this.written.get(id);
  }

  /** The ids of rows to load. A row that begins with one of these records is not stored yet. */
  private unknown(records: readonly Recorded[], ids: readonly (string | null)[]): readonly string[] {
    const begun = new Set<string>();
    const wanted = new Set<string>();
    for (const [index, record] of records.entries()) {
      const id = ids[index];
      if (!id || begun.has(id) || wanted.has(id) || this.known(id)) continue;
      (this.projection.begins(record) ? begun : wanted).add(id);
    }
    return [...wanted];
  }

  /** The loaded rows with the known ones among them: those may be written and leave the cache while the others are read. */
  private async loaded(wanted: readonly string[], ids: readonly (string | null)[]): Promise<ReadonlyMap<string, Folded>> {
    const rows = new Map<string, Folded>();
    for (const id of ids) {
      const known = id === null ? undefined : this.known(id);
      if (known) rows.set(known.id, known);
    }
    for (const row of await this.load(wanted)) if (row) rows.set(row.id, folded(row));
    return rows;
  }

  private apply(id: string, record: Recorded, loaded: ReadonlyMap<string, Folded>, project: Project): void {
    const before = this.known(id) ?? loaded.get(id) ?? null;
    if (before && before.position >= record.position) return;
    const after = this.guarded(record, () => project(before));
    if (!after) return;
    if (!before) this.rowsBegun++;
    const { projectId, deleted, row, text } = after;
    const createdAt = before?.createdAt ?? after.createdAt;
    const sortId = before?.sortId ?? record.position;
    const { position } = record;
    this.changed.set(id, { id, projectId, createdAt, sortId, position, deleted, row, ...(text && { text }) });
  }

  private rowId(record: Recorded): string | null {
    return this.guarded(record, () => this.projection.rowId(record));
  }

  /** What the projection says of an event; null where it throws. */
  private guarded<T>(record: Recorded, ask: () => T | null): T | null {
    try {
      return ask();
    } catch (error) {
      this.options.onSkipped(record, error);
      return null;
    }
  }
}

const NONE: ReadonlyMap<string, Folded> = new Map();

/** A text that cannot be rendered must not hold up other rows: reading the row fails instead. */
function rendered({ id, projectId, createdAt, sortId, position, deleted, row, text }: Folded): StoredRow {
  const kept = { id, projectId, createdAt, sortId, position, deleted, row };
  if (!text) return kept;
  try {
    return { id, projectId, createdAt, sortId, position, deleted, row, text: text() };
  } catch {
    return kept;
  }
}

function folded({ text, ...row }: StoredRow): Folded {
  return text === undefined ? row : { text: () => text, ...row };
}
