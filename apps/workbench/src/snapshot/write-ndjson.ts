import type { Cell } from '@application/projections/columns/columns-of';
import type { Column } from '@application/read-models/columns';
import { toTime } from '@application/read-models/time.resource';
import type { Cells, WriteRows } from './write-rows.js';
import { writeTexts } from './write-texts.js';

/** A JSON object a line, times as in answers of the API. */
export const writeNdjson: WriteRows = (columns, rows, file) => writeTexts(linesOf(columns, rows), file);

async function* linesOf(columns: readonly Column[], rows: AsyncIterable<Cells>): AsyncGenerator<string> {
  const members = columns.map(({ name, type }) => ({ label: `${JSON.stringify(name)}:`, type }));
  for await (const cells of rows) {
    const texts = members.map(({ label, type }, place) => label + textOf(type, cells[place] ?? null));
    yield `{${texts.join(',')}}\n`;
  }
}

function textOf(type: Column['type'], cell: Cell): string {
  if (cell === null) return 'null';
  if (type === 'time') return `"${toTime(cell as number)}"`;
  // JSON has line breaks only between its tokens: they would end the line.
  return type === 'json' ? (cell as string).replaceAll(/[\r\n]/g, ' ') : JSON.stringify(cell);
}
