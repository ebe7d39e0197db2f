import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { endpointDisabled } from '@domain/endpoint/endpoint';
import type { Task } from '@domain/task/task';
import { Ids } from '@ports/ids.port';
import { toTime } from '../../read-models/time.resource.js';
import { idFor, type RequestContext } from '../../runtime/request-context.js';
import { TaskDirectory } from '../../tasks/task-directory.js';
import { EndpointDirectory } from '../endpoints/endpoint-directory.js';
import { OpenEndpointTask, type EndpointWork } from './bulk.commands.js';
import { ENDPOINT_RECONCILE } from './endpoint-parameters.js';

/** What happened later may not have reached the receiver, or its owner's list, yet. */
const SETTLED_AFTER_MS = 60_000;

@CommandHandler(OpenEndpointTask)
export class OpenEndpointTaskHandler implements ICommandHandler<OpenEndpointTask> {
  constructor(
    private readonly tasks: TaskDirectory,
    private readonly endpoints: EndpointDirectory,
    private readonly ids: Ids,
  ) {}

  async execute({ context, endpointId, work }: OpenEndpointTask): Promise<Task> {
    const { projectId } = context;
    const taskId = idFor(this.ids, context, 'task', 'task');
    const known = context.isRetry ? await this.tasks.peek(taskId) : null;
    if (known) return known;
    const { status } = await this.endpoints.load(projectId, endpointId);
    if (status === 'disabled') throw endpointDisabled();
    const about = { taskId, projectId, endpointId, dryRun: work.parameters.dry_run };
    return this.tasks.create({ ...about, ...storedOf(work, context) }, context);
  }
}

/** Of a list of ids answers show the number. */
function storedOf(work: EndpointWork, { startedAt }: RequestContext) {
  const { kind, parameters } = work;
  if (kind !== ENDPOINT_RECONCILE) return { kind, parameters: { ...parameters } };
  const { since, until = toTime(startedAt - SETTLED_AFTER_MS), ...manner } = parameters;
  return { kind, parameters: { since, until, received: work.received.length, ...manner }, ids: work.received };
}
