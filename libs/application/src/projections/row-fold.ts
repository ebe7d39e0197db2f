import { LRUCache } from 'lru-cache';
import type { DomainEvent } from '@domain/kernel/decider';
import type { Recorded } from '@ports/event-store.port';
import type { StoredRow } from '@ports/read-models.port';
import type { ProjectedRow, Projection } from '../read-models/projection.js';

export interface RowFoldOptions {
  /** How many stored rows are remembered so that they need not be read again. */
  readonly remembered: number;
  /** Told of an event that the projection cannot take. */
  readonly onSkipped: (record: Recorded, error: unknown) => void;
}

/** A row on its way: its text is not rendered for every event that touches it. */
type Folded = Omit<StoredRow, 'text'> & Pick<ProjectedRow<object>, 'text'>;

/** Some of the rows that leave together. */
interface Part {
  readonly rows: readonly StoredRow[];
  readonly isLast: boolean;
}

type Load = (ids: readonly string[]) => Promise<readonly (StoredRow | null)[]>;

/**
 * Rows as a projection's events leave them, one version per row however many events touched it. It remembers rows
 * it has written, so nobody else may write them meanwhile.
 */
export class RowFold {
  /** Changed and not handed out yet, then handed out and not known to be stored. */
  private changed = new Map<string, Folded>();
  private leaving = new Map<string, Folded>();
  /** Rows that are stored. */
  private readonly stored: LRUCache<string, Folded>;

  constructor(
    private readonly projection: Projection<DomainEvent>,
    private readonly load: Load,
    private readonly options: RowFoldOptions,
  ) {
    this.stored = new LRUCache({ max: options.remembered });
  }

  /** How many rows wait to be handed out. */
  get size(): number {
    return this.changed.size;
  }

  /** Applies events in order; those a row has seen already change nothing. */
  async take(records: readonly Recorded[]): Promise<void> {
    const ids = records.map((record) => this.rowId(record));
    const wanted = this.unknown(records, ids);
    const loaded = wanted.length === 0 ? NONE : await this.loaded(wanted, ids);
    records.forEach((record, index) => {
      const id = ids[index];
      if (id) this.apply(id, record, loaded);
    });
  }

  /**
   * Hands out every changed row, so many at a time, each part rendered when it is asked for: at least one part, be it
   * empty. The rows before these must have been confirmed.
   */
  *leave(atOnce: number): Iterable<Part> {
    this.leaving = this.changed;
    this.changed = new Map();
    const rows = [...this.leaving.values()];
    let from = 0;
    do {
      const part = rows.slice(from, (from += atOnce));
      yield { rows: part.map(rendered), isLast: from >= rows.length };
    } while (from < rows.length);
  }

  /** The rows handed out last are stored. */
  confirm(): void {
    for (const [id, row] of this.leaving) this.stored.set(id, row);
    this.leaving = new Map();
  }

  private known(id: string): Folded | undefined {
    return this.changed.get(id) ?? this.leaving.get(id) ?? this.stored.get(id);
  }

  /** Rows to look for: those that begin here need no looking for. */
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

  /** With those that are known: they may be written and forgotten while the others are read. */
  private async loaded(wanted: readonly string[], ids: readonly (string | null)[]): Promise<ReadonlyMap<string, Folded>> {
    const rows = new Map<string, Folded>();
    for (const id of ids) {
      const known = id === null ? undefined : this.known(id);
      if (known) rows.set(known.id, known);
    }
    for (const row of await this.load(wanted)) if (row) rows.set(row.id, folded(row));
    return rows;
  }

  private apply(id: string, record: Recorded, loaded: ReadonlyMap<string, Folded>): void {
    const before = this.known(id) ?? loaded.get(id) ?? null;
    if (before && before.position >= record.position) return;
    const after = this.project(before, record);
    if (!after) return;
    const { projectId, deleted, row, text } = after;
    const createdAt = before?.createdAt ?? after.createdAt;
    const sortId = before?.sortId ?? record.position;
    const { position } = record;
    this.changed.set(id, { id, projectId, createdAt, sortId, position, deleted, row, ...(text && { text }) });
  }

  private rowId(record: Recorded): string | null {
    try {
      return this.projection.rowId(record);
    } catch (error) {
      this.options.onSkipped(record, error);
      return null;
    }
  }

  private project(before: Folded | null, record: Recorded) {
    try {
      return this.projection.project(before, record);
    } catch (error) {
      this.options.onSkipped(record, error);
      return null;
    }
  }
}

const NONE: ReadonlyMap<string, Folded> = new Map();

/** A text that cannot be rendered holds up no other row: whoever reads the row meets the error. */
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
