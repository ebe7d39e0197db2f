import { ServiceFailure } from '../service/service-failure.js';
import { WrongWords } from '../wrong-words.js';
import type { Command } from './command.js';
import { finishedTask, type ServiceTask } from './finished-task.js';
import { SKIPPED } from './skipped.js';

const NOT_FOUND = 404;

export const retry: Command = {
  name: 'retry',
  takes: '<id>',
  least: 1,
  most: 1,
  about: 'has the service apply a skipped event once more.',
  options: {},
  async run(workbench, { names: [id = ''] }) {
    const session = await workbench.session();
    const begun = await session.post<ServiceTask>(`${SKIPPED}/${encodeURIComponent(id)}/retry`).catch(unknownId);
    const task = await finishedTask(workbench, session, begun);
    await workbench.output.tell(task, `${id}: applied`);
    return 0;
  },
};

function unknownId(failure: unknown): never {
  if (failure instanceof ServiceFailure && failure.status === NOT_FOUND) throw new WrongWords(failure.message);
  throw failure;
}
