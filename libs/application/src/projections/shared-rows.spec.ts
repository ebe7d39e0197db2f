import type { DomainEvent } from '@domain/kernel/decider';
import type { Recorded } from '@ports/event-store.port';
import type { StoredRow } from '@ports/read-models.port';
import type { ProjectedRow, Projection } from '../read-models/projection.js';
import { PROJECTIONS } from './projections.js';
import { RowFold } from './row-fold.js';

interface Seen {
  readonly seen: readonly string[];
}

const seenBy = (before: ProjectedRow<object> | null, { id, event }: Recorded): ProjectedRow<Seen> => {
  const { seen = [] } = (before?.row ?? {}) as Partial<Seen>;
  return { projectId: 'prj_1', createdAt: event.at, deleted: false, row: { seen: [...seen, id] } };
};

/** Rows in capitals share a row under one of their ids, and `C` another. */
function sharedBy(stream: string): readonly string[] {
  if (stream.toUpperCase() !== stream) return [];
  return stream === 'C' ? ['A', 'also C'] : ['A'];
}

/** An event is about the rows that its stream names, as in `a+b`. */
const projection: Projection<DomainEvent, Seen> = {
  schema: {
    name: 'all',
    version: 1,
    filterFields: [],
    dueFields: [],
    shared: { name: 'shared', filterFields: [], dueFields: [] },
  },
  columns: { seen: { type: 'json', meaning: 'The events that it has seen.' } },
  idKind: 'conversation',
  categories: ['note'],
  rowIds: ({ stream }) => stream.split('+'),
  begins: () => false,
  project: (before, record, id) => (id === 'c' ? null : seenBy(before, record)),
  shared: {
    changes: (record) => sharedBy(record.stream).map((id) => ({ id, project: (before) => seenBy(before, record) })),
  },
};

let last = 0;
function noted(stream: string): Recorded {
  const position = String(++last).padStart(20, '0');
  return { id: `${stream} ${last}`, stream, revision: 0, position, event: { type: 'Noted', at: last } };
}

/** The rows of both collections; each part of the events is projected by a process of its own. */
async function after(records: readonly Recorded[], sizes: readonly number[]) {
  const [rows, shared] = [new Map<string, StoredRow>(), new Map<string, StoredRow>()];
  const from = (stored: Map<string, StoredRow>) => (ids: readonly string[]) =>
    Promise.resolve(ids.map((id) => stored.get(id) ?? null));
  const feed = [...records];
  for (const size of sizes) {
    const stored = { getMany: from(rows), getShared: from(shared) };
    const fold = new RowFold(projection as Projection, stored, { cachedRows: 1, onSkipped: () => undefined });
    // The first event comes again, as after an unwritten checkpoint.
    await fold.take([records[0]!, ...feed.splice(0, size)]);
    for (const batch of fold.nextBatches(2)) {
      for (const row of batch.rows) rows.set(row.id, row);
      for (const row of batch.shared) shared.set(row.id, row);
    }
  }
  const seen = (stored: Map<string, StoredRow>) =>
    Object.fromEntries([...stored].map(([id, { row }]) => [id, (row as Seen).seen]));
  return { rows: seen(rows), shared: seen(shared) };
}

describe('the rows of a projection', () => {
  it('are changed by an event that names many of them, each once, however the events come and are stored', async () => {
    const records = ['a', 'a+b', 'b+c', 'a+b+d'].map(noted);
    const [a, ab, bc, abd] = records.map(({ id }) => id);
    for (const sizes of [[4], [1, 3], [1, 1, 1, 1]])
      expect(await after(records, sizes)).toEqual({ rows: { a: [a, ab, abd], b: [ab, bc, abd], d: [abd] }, shared: {} });
  });

  it('change the rows that they share in the order of the log, once for an event, however the events come and are stored', async () => {
    const records = ['A', 'x', 'B', 'A+B', 'C', 'B'].map(noted);
    const [a, , b, ab, c, again] = records.map(({ id }) => id);
    for (const sizes of [[6], [1, 2, 3], [1, 1, 1, 1, 1, 1]]) {
      const { rows, shared } = await after(records, sizes);
      expect(shared).toEqual({ A: [a, b, ab, c, again], 'also C': [c] });
      expect(rows['A']).toEqual([a, ab]);
    }
  });

  it('leave together with shared ones, as many at once as was asked for', async () => {
    const none = (ids: readonly string[]) => Promise.resolve(ids.map(() => null));
    const stored = { getMany: none, getShared: none };
    const fold = new RowFold(projection as Projection, stored, { cachedRows: 9, onSkipped: () => undefined });
    await fold.take(['A', 'B', 'D'].map(noted));
    expect(fold.size).toBe(4);
    const parts = [...fold.nextBatches(2)];
    const idsOf = (rows: readonly StoredRow[]) => rows.map(({ id }) => id);
    expect(parts.map(({ rows, shared, isLast }) => [idsOf(rows), idsOf(shared), isLast])).toEqual([
      [['A', 'B'], [], false],
      [['D'], ['A'], true],
    ]);
  });
});

describe('the projections', () => {
  it('have a shared collection where they have shared rows, and each collection a name of its own', () => {
    for (const { schema, shared } of PROJECTIONS) expect(schema.shared !== undefined).toBe(shared !== undefined);
    const names = PROJECTIONS.flatMap(({ schema }) => [schema.name, ...(schema.shared ? [schema.shared.name] : [])]);
    expect(new Set(names).size).toBe(names.length);
  });
});
