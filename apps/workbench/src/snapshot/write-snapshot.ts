import type { FileColumn } from '@application/projections/columns/columns-of';
import { maskedValue, type Mask } from '@application/projections/personal/masked-data';
import type { Column } from '@application/read-models/columns';
import type { StoredRow } from '@ports/read-models.port';
import { replaceFile } from './replace-file.js';
import type { Cells, WriteRows } from './write-rows.js';
import { writeCsv } from './write-csv.js';
import { writeNdjson } from './write-ndjson.js';
import { writeParquet } from './write-parquet.js';

const WRITERS = { parquet: writeParquet, ndjson: writeNdjson, csv: writeCsv } as const satisfies Record<string, WriteRows>;

export type SnapshotFormat = keyof typeof WRITERS;
export const SNAPSHOT_FORMATS = Object.keys(WRITERS) as readonly SnapshotFormat[];

export interface Snapshot {
  readonly path: string;
  readonly format: SnapshotFormat;
  readonly columns: readonly FileColumn[];
  readonly rows: AsyncIterable<StoredRow>;
  /** Null for those of all projects and of the installation. */
  readonly project: string | null;
  /** What personal data is masked by; null to tell it as it is. */
  readonly mask: Mask | null;
}

/** Replaces the file in one step. Resolves to how many rows it has; rejects with what the file system or `rows` says. */
export async function writeSnapshot({ path, format, columns, rows, project, mask }: Snapshot): Promise<number> {
  const shown = mask ? columns.map(masked(mask)) : columns;
  const projectOf = columns.find(({ name }) => name === 'project_id');
  const isWanted = (stored: StoredRow) => project === null || stored.id === project || projectOf?.valueIn(stored) === project;
  let count = 0;
  async function* cells(): AsyncGenerator<Cells> {
    for await (const stored of rows) {
      if (!isWanted(stored)) continue;
      count += 1;
      yield shown.map((column) => column.valueIn(stored));
    }
  }
  await replaceFile(path, (file) => WRITERS[format](shown.map(told), cells(), file));
  return count;
}

function told({ valueIn: _, ...column }: FileColumn): Column {
  return column;
}

/** A mask is text, whatever type it replaces. */
function masked(mask: Mask): (column: FileColumn) => FileColumn {
  return (column) =>
    column.personal ? { ...column, type: 'text', valueIn: (stored) => maskedValue(column.valueIn(stored), mask) } : column;
}
