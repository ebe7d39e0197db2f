import { readAsOf } from '../as-of.js';
import { tableOf } from '../folder/workbench-folder.js';
import { type Command, SOME_NAMES } from './command.js';
import { knownProjections } from './known-projections.js';

export const AS_OF = {
  type: 'string',
  value: '<time or position>',
  about: 'as of then instead of now: a time such as 2026-03-01T09:00:00Z, or a position of the log.',
} as const;

export const fold: Command = {
  name: 'fold',
  ...SOME_NAMES,
  about: 'folds the log into the rows of the folder, from where they are; those of all read models where none is named.',
  options: { 'as-of': AS_OF },
  async run(workbench, words) {
    const projections = knownProjections(words.names);
    const text = words.text('as-of');
    const asOf = text === undefined ? null : readAsOf(text, workbench.clock.now());
    const folding = await workbench.folding();
    for (const projection of projections) {
      const {
        position,
        rows,
        skipped,
        projection: folded,
      } = await (asOf ? folding.foldAsOf(projection, asOf) : folding.fold(projection));
      const result = { projection: projection.schema.name, table: tableOf(folded), position, rows, skipped };
      await workbench.output.tell(result, `${result.table}: ${rows} rows, as of ${position}`);
    }
    return 0;
  },
};
