import type { FileHandle } from 'node:fs/promises';
import type { Cell } from '@application/projections/columns/columns-of';
import type { Column } from '@application/read-models/columns';

/** Values in the order of the columns. */
export type Cells = readonly Cell[];

/** Writes rows to an open file as they come, and holds only a part of them. */
export type WriteRows = (columns: readonly Column[], rows: AsyncIterable<Cells>, file: FileHandle) => Promise<void>;
