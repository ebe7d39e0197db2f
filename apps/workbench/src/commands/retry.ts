import { ServiceFailure } from '../service/service-failure.js';
import { WrongWords } from '../wrong-words.js';
import type { Command } from './command.js';
import { finishedTask, type ServiceTask } from './finished-task.js';
import { SKIPPED } from './skipped.js';

const NOT_FOUND = 404;

interface RetryTask extends ServiceTask {
  readonly result: { readonly skipped: { readonly still_fails: number } };
}

export const retry: Command = {
  name: 'retry',
  takes: '<id>',
  least: 1,
  most: 1,
  about: 'has the service apply a skipped event once more.',
  options: {},
  async run(workbench, { names: [id = ''] }) {
    const session = await workbench.session();
    const begun = await session.post<RetryTask>(`${SKIPPED}/${encodeURIComponent(id)}/retry`).catch(unknownId);
    const task = await finishedTask(workbench, session, begun);
    const stillFails = task.result.skipped.still_fails > 0;
    await workbench.output.tell(task, stillFails ? `${id}: still cannot be applied` : `${id}: applied`);
    return stillFails ? 1 : 0;
  },
};

function unknownId(failure: unknown): never {
  if (failure instanceof ServiceFailure && failure.status === NOT_FOUND) throw new WrongWords(failure.message);
  throw failure;
}
