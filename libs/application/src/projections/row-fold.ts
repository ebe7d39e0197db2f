import type { DomainEvent } from '@domain/kernel/decider';
import type { Recorded } from '@ports/event-store.port';
import type { StoredRow } from '@ports/read-models.port';
import type { Projection } from '../read-models/projection.js';
import { type Folded, FoldedRows, type Load } from './folded-rows.js';

export interface RowFoldOptions {
  /** How many stored rows are cached, so that they need not be read again. */
  readonly cachedRows: number;
  /** Called for an event on which the projection throws. */
  readonly onSkipped: (record: Recorded, error: unknown) => void;
}

interface Batch {
  readonly rows: readonly StoredRow[];
  /** Rows of the shared collection. */
  readonly shared: readonly StoredRow[];
  readonly isLast: boolean;
}

/** An event that changes a row. */
interface RowChange {
  readonly id: string;
  readonly record: Recorded;
}

interface SharedChange extends RowChange {
  readonly projectId: string;
}

/** Where the rows are that are not cached. */
interface Loads {
  readonly getMany: Load;
  readonly getShared: Load;
}

/**
 * Folds a projection's events into rows: one version per row, however many events touched it. It caches the rows that were
 * written, so nobody else may write them meanwhile.
 */
export class RowFold {
  private readonly rows: FoldedRows;
  private readonly shared: FoldedRows;

  constructor(
    private readonly projection: Projection<DomainEvent>,
    stored: Loads,
    private readonly options: RowFoldOptions,
  ) {
    this.rows = new FoldedRows((ids) => stored.getMany(ids), options.cachedRows);
    this.shared = new FoldedRows((ids) => stored.getShared(ids), options.cachedRows);
  }

  /** How many rows have changed since the last batches were made. */
  get size(): number {
    return this.rows.size + this.shared.size;
  }

  /** How many rows it has begun. */
  get begun(): number {
    return this.rows.begun + this.shared.begun;
  }

  /** Applies events in order. An event that a row has seen already changes nothing. */
  async take(records: readonly Recorded[]): Promise<void> {
    const changes = records.flatMap((record) => this.rowIds(record).map((id) => ({ id, record })));
    const loaded = await this.rows.loaded(this.unknown(changes), idsOf(changes));
    const sharedChanges: SharedChange[] = [];
    for (const { id, record } of changes) {
      const { position } = record;
      this.rows.change(id, position, loaded, (before) =>
        this.guarded(record, () => this.projection.project(before, record, id), null),
      );
      const change = this.sharedChange(record, this.rows.known(id) ?? loaded.get(id));
      if (change) sharedChanges.push(change);
    }
    if (sharedChanges.length > 0) await this.takeShared(sharedChanges);
  }

  /**
   * Yields every changed row in batches of `size`, each rendered when it is asked for; one empty batch where no row changed.
   * The batches before these must have been marked as written.
   */
  *nextBatches(size: number): Iterable<Batch> {
    const [rows, shared] = [this.rows.takeChanged(), this.shared.takeChanged()];
    let from = 0;
    do {
      const own = rows.slice(from, from + size);
      const beside = shared.slice(Math.max(0, from - rows.length), Math.max(0, from + size - rows.length));
      from += size;
      yield { rows: own.map(rendered), shared: beside.map(rendered), isLast: from >= rows.length + shared.length };
    } while (from < rows.length + shared.length);
  }

  /** The rows of the last batches are stored. */
  markWritten(): void {
    this.rows.markWritten();
    this.shared.markWritten();
  }

  /** Also of an event that the row has seen already: the row that it shares may not have. */
  private sharedChange(record: Recorded, row: Folded | undefined): SharedChange | null {
    const { shared } = this.projection;
    if (!shared || !row) return null;
    const id = this.guarded(record, () => shared.rowId(record, row.row), null);
    return id === null ? null : { id, record, projectId: row.projectId };
  }

  private async takeShared(changes: readonly SharedChange[]): Promise<void> {
    const ids = [...new Set(idsOf(changes))];
    const wanted = ids.filter((id) => !this.shared.known(id));
    const loaded = await this.shared.loaded(wanted, ids);
    for (const { id, record, projectId } of changes) {
      this.shared.change(id, record.position, loaded, (before) =>
        this.guarded(record, () => this.projection.shared?.project(before, record, projectId) ?? null, null),
      );
    }
  }

  /** The ids of rows to load. A row that begins with one of these events is not stored yet. */
  private unknown(changes: readonly RowChange[]): readonly string[] {
    const begun = new Set<string>();
    const wanted = new Set<string>();
    for (const { id, record } of changes) {
      if (begun.has(id) || wanted.has(id) || this.rows.known(id)) continue;
      (this.projection.begins(record) ? begun : wanted).add(id);
    }
    return [...wanted];
  }

  private rowIds(record: Recorded): readonly string[] {
    return this.guarded(record, () => this.projection.rowIds(record), []);
  }

  /** What the projection says of an event; `otherwise` where it throws. */
  private guarded<T>(record: Recorded, ask: () => T, otherwise: T): T {
    try {
      return ask();
    } catch (error) {
      this.options.onSkipped(record, error);
      return otherwise;
    }
  }
}

function idsOf(changes: readonly RowChange[]): readonly string[] {
  return changes.map(({ id }) => id);
}

/** A text that cannot be rendered must not hold up other rows: reading the row fails instead. */
function rendered({ id, projectId, createdAt, sortId, position, deleted, row, text }: Folded): StoredRow {
  const kept = { id, projectId, createdAt, sortId, position, deleted, row };
  if (!text) return kept;
  try {
    return { ...kept, text: text() };
  } catch {
    return kept;
  }
}
