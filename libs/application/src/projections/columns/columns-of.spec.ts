import type { StoredRow } from '@ports/read-models.port';
import type { RowColumns } from '../../read-models/columns.js';
import { INSTALLATION } from '../../projects/projects.projection.js';
import { PROJECTIONS } from '../projections.js';
import { columnsOf, describedColumns } from './columns-of.js';

const named = (name: string) => PROJECTIONS.find(({ schema }) => schema.name === name)!;

const stored = (row: object, projectId = 'prj_1'): StoredRow => ({
  id: 'x_1',
  projectId,
  createdAt: 1_000,
  sortId: '1',
  position: '7',
  deleted: false,
  row,
});

const valuesOf = (name: string, row: StoredRow) =>
  Object.fromEntries(columnsOf(named(name)).map((column) => [column.name, column.valueIn(row)]));

describe('the columns of a projection', () => {
  it.each(PROJECTIONS.map((projection) => [projection.schema.name, projection] as const))(
    'of %s have names of their own and a meaning in a sentence',
    (_, projection) => {
      const columns = describedColumns(projection);
      const names = columns.map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
      expect(names.slice(0, 3)).toEqual(['id', 'project_id', 'created_at']);
      expect(names.slice(-2)).toEqual(['deleted', 'position']);
      for (const { name, meaning } of columns) {
        expect(name).toMatch(/^[a-z][a-z_]*$/);
        expect(meaning).toMatch(/^[A-Z`].*\.$/);
      }
      for (const column of Object.values(projection.columns as Record<string, object>))
        if ('leftOut' in column) expect(column.leftOut).toMatch(/\.$/);
    },
  );

  it('give the members of a row, JSON as its text and nothing as null', () => {
    const row = {
      service: 'cut',
      startsAt: 5_000,
      notes: null,
      metadata: '{"vip": true}',
      cancellation: { reason: null, cancelledBy: 'agent', at: 6_000 },
    };
    expect(valuesOf('appointments', stored(row))).toMatchObject({
      id: 'x_1',
      project_id: 'prj_1',
      created_at: 1_000,
      service: 'cut',
      starts_at: 5_000,
      notes: null,
      metadata: '{"vip": true}',
      reschedule: null,
      cancellation: '{"reason":null,"cancelled_by":"agent","at":"1970-01-01T00:00:06.000Z"}',
      location: null,
      deleted: false,
      position: '7',
    });
  });

  it('name the project that a row of the installation is about, or none', () => {
    expect(valuesOf('projects', stored({ name: 'salon' }, INSTALLATION))).toMatchObject({ project_id: null });
    expect(valuesOf('issues', stored({ ofProject: 'prj_2' }, INSTALLATION))).toMatchObject({ project_id: 'prj_2' });
    expect(valuesOf('tasks', stored({ projectId: null }, INSTALLATION))).toMatchObject({ project_id: null });
  });

  it('tell which are personal data', () => {
    const personal = PROJECTIONS.flatMap((projection) =>
      columnsOf(projection).flatMap((column) => (column.personal ? [`${projection.schema.name}.${column.name}`] : [])),
    );
    expect(personal.toSorted()).toEqual([
      'appointments.metadata',
      'appointments.notes',
      'conversations.handoff_summary',
      'conversations.metadata',
      'customers.email',
      'customers.external_id',
      'customers.metadata',
      'customers.name',
      'customers.phone',
      'sessions.from',
      'sessions.metadata',
      'sessions.summary',
      'sessions.to',
    ]);
  });
});

interface Row {
  readonly count: number;
  readonly text: string | null;
  readonly parts?: readonly string[];
}

const count = { type: 'integer', meaning: 'How many.' } as const;
const text = { type: 'text', meaning: 'What it says.' } as const;
const parts = { type: 'json', meaning: 'Its parts.' } as const;

describe('the declaration of columns', () => {
  it('names every member, nothing else, and each with a type that it can have', () => {
    const all: readonly RowColumns<Row>[] = [
      { count, text, parts },
      { count, text, parts: { leftOut: 'An index.' } },
      { count: { type: 'time', meaning: 'When.' }, text: { type: 'json', meaning: 'As sent.' }, parts },
      // @ts-expect-error A member is missing.
      { count, text },
      // @ts-expect-error No member of the row.
      { count, text, parts, size: count },
      // @ts-expect-error Text is no number.
      { count, text: { type: 'integer', meaning: 'What it says.' }, parts },
      // @ts-expect-error A list is no text.
      { count, text, parts: { type: 'text', meaning: 'Its parts.' } },
    ];
    expect(all).toHaveLength(7);
  });
});
