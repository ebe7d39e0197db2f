import { Verification } from '../verify/verification.js';
import { type Command, SOME_NAMES } from './command.js';
import { knownProjections } from './known-projections.js';

export const verify: Command = {
  name: 'verify',
  ...SOME_NAMES,
  about:
    'compares the rows of the service with those of the log, and names the event that a row lacks; ends with 1 on a difference.',
  options: {},
  async run(workbench, { names }) {
    const { output, signal, clock } = workbench;
    const projections = knownProjections(names);
    const { log, live } = await workbench.source();
    const [{ readModels: folder }, folding] = [await workbench.folder(), await workbench.folding()];
    let isRight = true;
    for (const projection of projections) {
      const { name } = projection.schema;
      const { told, ...counts } = await new Verification(projection, { log, live, folder, clock }, folding, signal).run();
      await output.tell({ projection: name, ...counts });
      for (const { row, kind, members, culprit } of told) await output.tell({ projection: name, row, kind, members, culprit });
      isRight &&= counts.differences === 0;
    }
    return isRight ? 0 : 1;
  },
};
