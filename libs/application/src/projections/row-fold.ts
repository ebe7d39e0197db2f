import type { DomainEvent } from '@domain/kernel/decider';
import type { Recorded } from '@ports/event-store.port';
import type { StoredRow } from '@ports/read-models.port';
import type { Projection, SharedChange } from '../read-models/projection.js';
import type { Skip } from '../skipped-events/skip-recorder.js';
import { type Folded, FoldedRows, type Load } from './folded-rows.js';

export interface RowFoldOptions {
  readonly cachedRows: number;
  /** Called with what could not be applied of the events taken, each once. The next events wait for it. */
  readonly onSkipped: (skips: readonly Skip[]) => Promise<void> | void;
}

interface Batch {
  readonly rows: readonly StoredRow[];
  readonly shared: readonly StoredRow[];
  readonly isLast: boolean;
}

interface RowChange {
  readonly id: string;
  readonly record: Recorded;
}

interface RecordedChange {
  readonly id: string;
  /** The row by which it came about. */
  readonly by: string;
  readonly change: SharedChange;
  readonly record: Recorded;
}

interface Loads {
  readonly getMany: Load;
  readonly getShared: Load;
}

/** Folds a projection's events into rows, one version per row. Caches written rows, so nothing else may write them meanwhile. */
export class RowFold {
  private readonly rows: FoldedRows;
  private readonly shared: FoldedRows;
  private skips = new Map<Recorded, Skip>();

  constructor(
    private readonly projection: Projection<DomainEvent>,
    stored: Loads,
    private readonly options: RowFoldOptions,
  ) {
    this.rows = new FoldedRows((ids) => stored.getMany(ids), options.cachedRows);
    this.shared = new FoldedRows((ids) => stored.getShared(ids), options.cachedRows);
  }

  get size(): number {
    return this.rows.size + this.shared.size;
  }

  /** Without those that several rows share. */
  get begun(): number {
    return this.rows.begun;
  }

  /** Applies events in order. An event that a row has already seen changes nothing. */
  async take(records: readonly Recorded[]): Promise<void> {
    const changes = records.flatMap((record) => this.rowIds(record).map((id) => ({ id, record })));
    const loaded = await this.rows.loaded(this.unknown(changes), idsOf(changes));
    const sharedChanges: RecordedChange[] = [];
    for (const { id, record } of changes) {
      const { position } = record;
      this.rows.change(id, position, loaded, (before) =>
        this.guarded(record, id, () => this.projection.project(before, record, id), null),
      );
      for (const change of this.sharedChanges(record, id, this.rows.known(id) ?? loaded.get(id))) {
        sharedChanges.push({ id: change.id, by: id, change, record });
      }
    }
    if (sharedChanges.length > 0) await this.takeShared(sharedChanges);
    if (this.skips.size > 0) await this.tellSkips();
  }

  /** Batches are rendered lazily; one empty batch if no row changed. Earlier batches must have been marked as written. */
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

  markWritten(): void {
    this.rows.markWritten();
    this.shared.markWritten();
  }

  /** Also for an event that the row has already seen: its shared rows may not have. */
  private sharedChanges(record: Recorded, id: string, row: Folded | undefined): readonly SharedChange[] {
    const { shared } = this.projection;
    if (!shared || !row) return [];
    return this.guarded(record, id, () => shared.changes(record, row.row, row.projectId), []);
  }

  private async takeShared(changes: readonly RecordedChange[]): Promise<void> {
    const ids = [...new Set(idsOf(changes))];
    const wanted = ids.filter((id) => !this.shared.known(id));
    const loaded = await this.shared.loaded(wanted, ids);
    for (const { id, by, record, change } of changes) {
      this.shared.change(id, record.position, loaded, (before) => this.guarded(record, by, () => change.project(before), null));
    }
  }

  /** Excludes a row that begins with one of these events: it is not stored yet. */
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
    return this.guarded(record, null, () => this.projection.rowIds(record), []);
  }

  private guarded<T>(record: Recorded, rowId: string | null, ask: () => T, otherwise: T): T {
    try {
      return ask();
    } catch (error) {
      const { rows = [] } = this.skips.get(record) ?? {};
      const lacking = rowId === null || rows.includes(rowId) ? rows : [...rows, rowId];
      this.skips.set(record, { record, error, rows: lacking });
      return otherwise;
    }
  }

  private async tellSkips(): Promise<void> {
    const { skips } = this;
    this.skips = new Map();
    await this.options.onSkipped([...skips.values()]);
  }
}

function idsOf(changes: readonly { readonly id: string }[]): readonly string[] {
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
