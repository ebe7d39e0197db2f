import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { resourceMissing } from '@domain/kernel/domain-error';
import type { Task } from '@domain/task/task';
import { KeyedQueue } from '@kit/keyed-queue';
import { Ids } from '@ports/ids.port';
import { idFor } from '../../runtime/request-context.js';
import { TaskDirectory } from '../../tasks/task-directory.js';
import { HostRecord } from '../standing/host-record.js';
import { RebuildProjections } from './rebuild.commands.js';
import { namesOf, PROJECTIONS_REBUILD } from './rebuild-progress.js';

@CommandHandler(RebuildProjections)
export class RebuildProjectionsHandler implements ICommandHandler<RebuildProjections> {
  /** One request at a time, so that the second finds the first one's task. */
  private readonly asking = new KeyedQueue();

  constructor(
    private readonly host: HostRecord,
    private readonly tasks: TaskDirectory,
    private readonly ids: Ids,
  ) {}

  async execute(command: RebuildProjections): Promise<Task> {
    return this.asking.run(PROJECTIONS_REBUILD, () => this.open(command));
  }

  private async open({ context, names: asked }: RebuildProjections): Promise<Task> {
    const taskId = idFor(this.ids, context, 'task', 'task');
    const made = context.isRetry ? await this.tasks.peek(taskId) : null;
    if (made) return made;
    const known = (await this.host.projections()).map(({ name }) => name);
    const names = asked ?? known;
    if (!names.every((name) => known.includes(name))) throw resourceMissing('projection', 'name');
    const rebuilds = (await this.tasks.open(null)).filter(({ kind }) => kind === PROJECTIONS_REBUILD);
    const covering = rebuilds.find((task) => names.every((name) => namesOf(task).includes(name)));
    if (covering) return covering;
    const about = { taskId, projectId: null, endpointId: null, dryRun: false };
    return this.tasks.create({ ...about, kind: PROJECTIONS_REBUILD, parameters: { names } }, context);
  }
}
