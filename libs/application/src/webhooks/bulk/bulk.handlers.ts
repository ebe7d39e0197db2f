import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { resourceMissing } from '@domain/kernel/domain-error';
import type { Task } from '@domain/task/task';
import { Ids } from '@ports/ids.port';
import { AppointmentDirectory } from '../../appointments/appointment-directory.js';
import { idFor } from '../../runtime/request-context.js';
import { TaskDirectory } from '../../tasks/task-directory.js';
import { EndpointDirectory } from '../endpoints/endpoint-directory.js';
import { RetryDeliveries } from './bulk.commands.js';
import { DELIVERIES_RETRY } from './deliveries-retry-task.js';
import type { RetryParameters } from './retry-parameters.js';

@CommandHandler(RetryDeliveries)
export class RetryDeliveriesHandler implements ICommandHandler<RetryDeliveries> {
  constructor(
    private readonly tasks: TaskDirectory,
    private readonly endpoints: EndpointDirectory,
    private readonly appointments: AppointmentDirectory,
    private readonly ids: Ids,
  ) {}

  async execute({ context, parameters }: RetryDeliveries): Promise<Task> {
    const { projectId } = context;
    await this.mustBeKnown(projectId, parameters);
    const taskId = idFor(this.ids, context, 'task', 'task');
    const { endpoint_id: endpointId = null, dry_run: dryRun } = parameters;
    const details = { taskId, projectId, kind: DELIVERIES_RETRY, endpointId, dryRun, parameters: { ...parameters } };
    return this.tasks.create(details, context);
  }

  /** A deleted endpoint is known: its deliveries count as `endpoint_unavailable`. */
  private async mustBeKnown(projectId: string, { endpoint_id, object_id }: RetryParameters): Promise<void> {
    if (endpoint_id !== undefined && !(await this.endpoints.everHad(projectId, endpoint_id)))
      throw resourceMissing('webhook endpoint', 'endpoint_id');
    if (object_id === undefined) return;
    const { status, projectId: owner } = await this.appointments.peek(object_id);
    if (status === 'unbooked' || owner !== projectId) throw resourceMissing('appointment', 'object_id');
  }
}
