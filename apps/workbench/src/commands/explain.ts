import { toLogLine } from '../log/log-line.js';
import { Histories } from '../verify/histories.js';
import { WrongWords } from '../wrong-words.js';
import type { Command } from './command.js';
import { knownProjections } from './known-projections.js';

/** A request has room for so many; of more, all events of their categories are read. */
const MAX_STREAMS = 100;

export const explain: Command = {
  name: 'explain',
  takes: '<name> <row>',
  least: 2,
  most: 2,
  about: 'shows every event that made a row of a read model, and what each changed in it.',
  options: {},
  async run(workbench, { names: [name = '', row = ''] }) {
    const { signal, output } = workbench;
    const [projection] = knownProjections([name]);
    if (!projection) return 1;
    const { log } = await workbench.source();
    await (await workbench.folding()).fold(projection);
    const [folded] = await (await workbench.folder()).readModels.getMany(name, [row]);
    if (!folded) throw new WrongWords(`No event made a row ${row} of ${name}.`);
    const streams = projection.streamsOf?.(folded.row, row) ?? [];
    const histories = new Histories(projection, [row]);
    await histories.read(log, { least: folded.position, streams: streams.length > MAX_STREAMS ? [] : streams }, signal);
    for (const { record, changes } of histories.of(row)) {
      const { position, stream, revision, type, at, data, envelope } = toLogLine(record);
      const event = { type, stream, revision, position, data };
      const shown = Object.entries(changes).map(([member, [before, after]]) => `  ${member}: ${text(before)} → ${text(after)}`);
      await output.tell(
        { object: 'row_change', id: position, at, event, envelope, changes },
        [`${at}  ${type}  ${stream}`, ...shown].join('\n'),
      );
    }
    return 0;
  },
};

const text = (value: unknown) => JSON.stringify(value);
