import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { UlidIds } from '@adapters/ids.ulid';
import { columnsOf } from '@application/projections/columns/columns-of';
import { projectsProjection } from '@application/projects/projects.projection';
import { isId } from '@domain/kernel/ids';
import type { StoredRow } from '@ports/read-models.port';
import { readAsOf } from '../as-of.js';
import { rowsInOrder } from '../folder/rows-in-order.js';
import { KEY_BYTES, keyedMask } from '../masks/keyed-mask.js';
import { SNAPSHOT_FORMATS, type SnapshotFormat, writeSnapshot } from '../snapshot/write-snapshot.js';
import type { Workbench } from '../workbench.js';
import { WrongWords } from '../wrong-words.js';
import type { Command, Words } from './command.js';
import { AS_OF } from './fold.js';
import { knownProjections } from './known-projections.js';

export const snapshot: Command = {
  name: 'snapshot',
  takes: '<name>',
  least: 1,
  most: 1,
  about: 'writes the rows of a read model to a file, which it replaces in one step.',
  options: {
    format: { type: 'string', value: SNAPSHOT_FORMATS.join('|'), about: 'what the file is to be.' },
    out: { type: 'string', value: '<file>', about: 'the file, in a folder that is there.' },
    'as-of': AS_OF,
    project: { type: 'string', value: '<id>', about: 'only the rows of this project.' },
    'personal-data': { type: 'boolean', about: 'with personal data as it is; without, it is masked.' },
  },
  async run(workbench, words) {
    const [format, path] = [readFormat(words), await readOut(words)];
    const [projection] = knownProjections(words.names);
    if (!projection) throw new WrongWords('Name a read model.');
    const text = words.text('as-of');
    const asOf = text === undefined ? null : readAsOf(text, workbench.clock.now());
    const project = await readProject(words, workbench);
    const folding = await workbench.folding();
    const { projection: folded, position } = await (asOf ? folding.foldAsOf(projection, asOf) : folding.fold(projection));
    const stored = rowsInOrder((await workbench.folder()).readModels, folded.schema.name);
    const rows = await writeSnapshot({
      path,
      format,
      columns: columnsOf(projection),
      rows: untilAborted(stored, workbench.signal),
      project,
      mask: words.isSet('personal-data') ? null : keyedMask(new UlidIds(workbench.clock).bytes(KEY_BYTES)),
    });
    const result = { projection: projection.schema.name, out: path, format, rows, position };
    await workbench.output.tell(result, `${path}: ${rows} rows, as of ${position}`);
    return 0;
  },
};

function readFormat(words: Words): SnapshotFormat {
  const text = words.text('format');
  const format = SNAPSHOT_FORMATS.find((each) => each === text);
  if (!format) throw new WrongWords(`--format takes ${SNAPSHOT_FORMATS.join(', ')}${text === undefined ? '' : `: not ${text}`}.`);
  return format;
}

/** Before anything is folded, which may take long. */
async function readOut(words: Words): Promise<string> {
  const path = words.text('out');
  if (!path) throw new WrongWords('--out names the file.');
  if (!(await isFolder(dirname(path)))) throw new WrongWords(`--out ${path}: ${dirname(path)} is no folder.`);
  if (await isFolder(path)) throw new WrongWords(`--out ${path} is a folder.`);
  return path;
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found?.isDirectory() ?? false;
}

/** Null for all. A typo would else make a file without rows. */
async function readProject(words: Words, workbench: Workbench): Promise<string | null> {
  const id = words.text('project');
  if (id === undefined) return null;
  if (!isId('project', id)) throw new WrongWords(`--project takes the id of a project: not ${id}.`);
  await (await workbench.folding()).fold(projectsProjection);
  const { readModels } = await workbench.folder();
  const [found] = await readModels.getMany(projectsProjection.schema.name, [id]);
  if (!found) throw new WrongWords(`No such project: ${id}.`);
  return id;
}

async function* untilAborted(rows: AsyncIterable<StoredRow>, signal: AbortSignal): AsyncGenerator<StoredRow> {
  for await (const row of rows) {
    signal.throwIfAborted();
    yield row;
  }
}
