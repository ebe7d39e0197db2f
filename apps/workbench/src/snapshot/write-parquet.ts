import type { FileHandle } from 'node:fs/promises';
import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import { compressSync } from 'snappy';
import type { Cell } from '@application/projections/columns/columns-of';
import type { Column } from '@application/read-models/columns';
import type { Cells, WriteRows } from './write-rows.js';

/** What is held of the rows, at most: a row group. */
const ROWS_AT_ONCE = 20_000;
const CHARACTERS_AT_ONCE = 16 * 1_024 * 1_024;

const TYPES: Readonly<Record<Column['type'], Partial<SchemaElement>>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  // Readers that know a type for JSON load it from elsewhere.
  json: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  integer: { type: 'INT64' },
  number: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
  time: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
};

/** The library's own takes twice as long. */
const COMPRESSORS = { SNAPPY: (bytes: Uint8Array) => compressSync(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)) };

/** Parquet, JSON as text, times as timestamps in UTC. */
export const writeParquet: WriteRows = async (columns, rows, file) => {
  const writer = new ByteWriter();
  const parquet = new ParquetWriter({ writer, schema: schemaOf(columns), compressors: COMPRESSORS });
  for await (const group of groupsOf(columns, rows)) {
    await parquet.write({ columnData: group.columns, rowGroupSize: group.rows });
    await flush(writer, file);
  }
  await parquet.finish();
  await flush(writer, file);
};

function schemaOf(columns: readonly Column[]): SchemaElement[] {
  const elements = columns.map(({ name, type }) => ({ name, repetition_type: 'OPTIONAL' as const, ...TYPES[type] }));
  return [{ name: 'rows', num_children: columns.length }, ...elements];
}

interface Group {
  readonly rows: number;
  readonly columns: { readonly name: string; readonly data: unknown[]; readonly statistics: boolean }[];
}

async function* groupsOf(columns: readonly Column[], rows: AsyncIterable<Cells>): AsyncGenerator<Group> {
  // To find the least and the greatest of all texts takes a quarter of the time.
  const empty = () => columns.map(({ name, type }) => ({ name, data: [] as unknown[], statistics: !isText(type) }));
  let [group, size, characters] = [empty(), 0, 0];
  for await (const cells of rows) {
    for (const [place, { type }] of columns.entries()) {
      const cell = cells[place] ?? null;
      if (typeof cell === 'string') characters += cell.length;
      group[place]?.data.push(valueOf(type, cell));
    }
    size += 1;
    if (size < ROWS_AT_ONCE && characters < CHARACTERS_AT_ONCE) continue;
    yield { rows: size, columns: group };
    [group, size, characters] = [empty(), 0, 0];
  }
  if (size > 0) yield { rows: size, columns: group };
}

function isText(type: Column['type']): boolean {
  return type === 'text' || type === 'json';
}

function valueOf(type: Column['type'], cell: Cell): unknown {
  return type === 'integer' && cell !== null ? BigInt(cell) : cell;
}

/** The writer counts what it has written in `offset`, and holds it from 0 to `index`. */
async function flush(writer: ByteWriter, file: FileHandle): Promise<void> {
  await file.writeFile(new Uint8Array(writer.buffer, 0, writer.index));
  writer.index = 0;
}
