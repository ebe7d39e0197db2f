import type { Cell } from '@application/projections/columns/columns-of';
import type { Column } from '@application/read-models/columns';
import { toTime } from '@application/read-models/time.resource';
import type { Cells, WriteRows } from './write-rows.js';
import { writeTexts } from './write-texts.js';

/** RFC 4180 in UTF-8, lines end with a line feed. Nothing between two commas is null, `""` is an empty text. */
export const writeCsv: WriteRows = (columns, rows, file) => writeTexts(linesOf(columns, rows), file);

async function* linesOf(columns: readonly Column[], rows: AsyncIterable<Cells>): AsyncGenerator<string> {
  yield `${columns.map(({ name }) => name).join(',')}\n`;
  for await (const cells of rows) yield `${columns.map(({ type }, place) => textOf(type, cells[place] ?? null)).join(',')}\n`;
}

function textOf(type: Column['type'], cell: Cell): string {
  if (cell === null) return '';
  if (type === 'time') return toTime(cell as number);
  return typeof cell === 'string' ? quoted(cell) : String(cell);
}

function quoted(text: string): string {
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
