import { allPages } from './all-pages.js';
import { type Command, NO_NAMES } from './command.js';
import { type ServiceTask, TASKS } from './finished-task.js';

export const tasks: Command = {
  name: 'tasks',
  ...NO_NAMES,
  about: 'lists the tasks of the installation, the newest first.',
  options: {},
  async run(workbench) {
    for await (const task of allPages<ServiceTask>(await workbench.session(), TASKS))
      await workbench.output.tell(task, `${task.id}  ${task.created_at}  ${task.kind}  ${task.status}`);
    return 0;
  },
};
