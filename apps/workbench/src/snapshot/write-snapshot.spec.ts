import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { columnsOf } from '@application/projections/columns/columns-of';
import type { Projection } from '@application/read-models/projection';
import type { StoredRow } from '@ports/read-models.port';
import { FakeIds } from '@testing/fake-ids';
import { keyedMask } from '../masks/keyed-mask.js';
import { SNAPSHOT_FORMATS, writeSnapshot, type Snapshot, type SnapshotFormat } from './write-snapshot.js';

interface Stay {
  readonly guest: string | null;
  readonly notes: string | null;
  readonly nights: number | null;
  readonly price: number | null;
  readonly paid: boolean | null;
  readonly since: number | null;
  readonly extras: unknown;
}

const projection = {
  schema: { name: 'stays', version: 1, filterFields: [], dueFields: [] },
  columns: {
    guest: { type: 'text', meaning: 'Who stays.' },
    notes: { type: 'text', meaning: 'What was noted.' },
    nights: { type: 'integer', meaning: 'How many nights.' },
    price: { type: 'number', unit: 'EUR', meaning: 'What it costs.' },
    paid: { type: 'boolean', meaning: 'Whether it was paid.' },
    since: { type: 'time', meaning: 'Since when.' },
    extras: { type: 'json', meaning: 'What was booked with it.' },
  },
  idKind: 'customer',
  categories: ['stay'],
  rowIds: () => [],
  begins: () => true,
  project: () => null,
} satisfies Projection<never, Stay>;
const columns = columnsOf(projection as unknown as Projection);

let folder: string;
let database: DuckDBInstance;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'snapshot-'));
  database = await DuckDBInstance.create(':memory:');
});
afterAll(() => {
  database.closeSync();
  rmSync(folder, { recursive: true, force: true });
});

const stored = (row: Partial<Stay>, n = 0, projectId = 'prj_1'): StoredRow => ({
  id: `stay_${n}`,
  projectId,
  createdAt: 1_000 + n,
  sortId: String(n),
  position: String(n).padStart(20, '0'),
  deleted: n % 2 === 1,
  row,
});

const file = (format: SnapshotFormat) => join(folder, `stays.${format}`);

async function write(format: SnapshotFormat, rows: readonly StoredRow[], asked: Partial<Snapshot> = {}): Promise<number> {
  async function* each() {
    yield* rows;
  }
  return writeSnapshot({ path: file(format), format, columns, rows: each(), project: null, mask: null, ...asked });
}

async function query(sql: string): Promise<Record<string, unknown>[]> {
  const connection = await database.connect();
  try {
    return (await connection.runAndReadAll(sql)).getRowObjectsJS();
  } finally {
    connection.closeSync();
  }
}

const SOURCES: Readonly<Record<SnapshotFormat, string>> = {
  parquet: 'read_parquet',
  ndjson: 'read_ndjson',
  csv: 'read_csv',
};

/** As a reader of the API knows values: times as instants, JSON parsed, whole numbers as numbers. */
function known(row: Record<string, unknown>): Record<string, unknown> {
  const known = Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === 'bigint' ? Number(value) : value]),
  );
  for (const name of ['created_at', 'since']) if (known[name] !== null) known[name] = new Date(known[name] as string).getTime();
  if (typeof known['extras'] === 'string') known['extras'] = JSON.parse(known['extras']);
  return known;
}

const expected = ({ id, projectId, createdAt, deleted, position, row }: StoredRow) => ({
  id,
  project_id: projectId,
  created_at: createdAt,
  ...row,
  deleted,
  position,
});

const READERS: Readonly<Record<SnapshotFormat, () => Promise<Record<string, unknown>[]>>> = {
  parquet: () => query(`from read_parquet('${file('parquet')}')`),
  ndjson: async () =>
    readFileSync(file('ndjson'), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>),
  csv: () =>
    query(`from read_csv('${file('csv')}', header = true, allow_quoted_nulls = false, quote = '"', escape = '"', delim = ',',
      strict_mode = true, columns = {id: 'VARCHAR', project_id: 'VARCHAR', created_at: 'TIMESTAMPTZ', guest: 'VARCHAR',
      notes: 'VARCHAR', nights: 'BIGINT', price: 'DOUBLE', paid: 'BOOLEAN', since: 'TIMESTAMPTZ', extras: 'VARCHAR',
      deleted: 'BOOLEAN', position: 'VARCHAR'})`),
};

const nullable = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: null });
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('', 'a, b', 'she said "no"', 'two\nlines', 'two\r\nlines', ' padded ', 'null', "it's", '+49151', '=1+1', '😀'),
);
const stay = fc.record<Stay>({
  guest: nullable(text),
  notes: nullable(text),
  nights: nullable(fc.integer()),
  price: nullable(fc.double({ noNaN: true, noDefaultInfinity: true }).map((price) => (Object.is(price, -0) ? 0 : price))),
  paid: nullable(fc.boolean()),
  since: nullable(fc.integer({ min: 0, max: 4_000_000_000_000 })),
  extras: nullable(fc.oneof(fc.dictionary(fc.string(), fc.string()), fc.array(fc.integer()))),
});

describe.each(SNAPSHOT_FORMATS)('a snapshot as %s', (format) => {
  it('has every row as it is, whatever its values are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(stay, { maxLength: 20 }), async (stays) => {
        const rows = stays.map((row, n) => stored(row, n));
        expect(await write(format, rows)).toBe(rows.length);
        expect((await READERS[format]()).map(known)).toEqual(rows.map(expected));
      }),
      { numRuns: 40 },
    );
  });

  it('has rows that DuckDB counts, also where they fill several groups', async () => {
    const rows = Array.from({ length: 45_000 }, (_, n) => stored({ guest: `guest ${n}`, nights: n, since: n }, n));
    await write(format, rows);
    expect(
      await query(`select count(*)::int as rows, max(nights)::int as nights from ${SOURCES[format]}('${file(format)}')`),
    ).toEqual([{ rows: 45_000, nights: 44_999 }]);
  });

  it('is written while the rows are read, so that only a part of them is held', async () => {
    const path = file(format);
    const writtenSoFar = () => statSync(join(folder, `.stays.${format}.${process.pid}.part`)).size;
    let written = 0;
    async function* many() {
      for (let n = 0; n < 45_000; n++) yield stored({ guest: `guest ${n}`, nights: n, since: n }, n);
      written = writtenSoFar();
    }
    await write(format, [], { rows: many() });
    expect(written / statSync(path).size).toBeGreaterThan(0.8);
  });

  it('has the rows of one project', async () => {
    const rows = [stored({}, 1, 'prj_1'), stored({}, 2, 'prj_2'), stored({}, 3, 'prj_2')];
    expect(await write(format, rows, { project: 'prj_2' })).toBe(2);
    expect((await READERS[format]()).map(({ id }) => id)).toEqual(['stay_2', 'stay_3']);
  });

  it('masks what is personal unless that is asked for, equal values equally', async () => {
    const rows = ['a secret', null, 'a secret', 'another'].map((notes, n) => stored({ guest: 'Kim', notes }, n));
    await write(format, rows, { mask: keyedMask(new FakeIds().bytes(32)) });
    const [first, none, same, other] = await READERS[format]();
    expect(first).toMatchObject({ guest: 'Kim', notes: expect.stringMatching(/^masked_[0-9a-f]{32}$/) });
    expect(none).toMatchObject({ notes: null });
    expect(same!['notes']).toBe(first!['notes']);
    expect(other!['notes']).not.toBe(first!['notes']);
    expect(readFileSync(file(format), 'latin1')).not.toContain('a secret');
  });

  it('replaces what was there in one step, and leaves it where the rows cannot be read', async () => {
    await write(format, [stored({ guest: 'Kim' }, 1)]);
    const before = readFileSync(file(format));
    async function* broken() {
      for (let n = 0; n < 30_000; n++) yield stored({ guest: 'Lee' }, n);
      expect(readFileSync(file(format)).equals(before)).toBe(true);
      throw new Error('away');
    }
    await expect(write(format, [], { rows: broken() })).rejects.toThrow('away');
    expect(readFileSync(file(format)).equals(before)).toBe(true);
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('is a file with its columns where there are no rows', async () => {
    await write(format, []);
    expect(await READERS[format]()).toEqual([]);
  });
});

describe('a snapshot', () => {
  it('tells DuckDB the types of its columns', async () => {
    await write('parquet', [stored({ guest: 'Kim' }, 1)]);
    const types = await query(`select column_name, column_type from (describe from read_parquet('${file('parquet')}'))`);
    expect(Object.fromEntries(types.map((each) => [each['column_name'], each['column_type']]))).toEqual({
      id: 'VARCHAR',
      project_id: 'VARCHAR',
      created_at: 'TIMESTAMP WITH TIME ZONE',
      guest: 'VARCHAR',
      notes: 'VARCHAR',
      nights: 'BIGINT',
      price: 'DOUBLE',
      paid: 'BOOLEAN',
      since: 'TIMESTAMP WITH TIME ZONE',
      extras: 'VARCHAR',
      deleted: 'BOOLEAN',
      position: 'VARCHAR',
    });
  });

  it('keeps JSON on its line, however it was sent', async () => {
    await write('ndjson', [stored({ extras: '{\n  "price": 12345678901234567890\r\n}' }, 1), stored({ extras: '[]' }, 2)]);
    const [first] = readFileSync(file('ndjson'), 'utf8').split('\n');
    expect(first).toContain('"extras":{   "price": 12345678901234567890  }');
  });

  it('refuses a path that is a folder, and leaves nothing there', async () => {
    mkdirSync(join(folder, 'there'));
    writeFileSync(join(folder, 'there', 'mine'), '');
    await expect(write('csv', [], { path: join(folder, 'there') })).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });
});
