import { Body, Controller, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type { ErrorCode } from '@domain/kernel/domain-error';
import { Client, type ClientRequest } from '../http/pipeline/request-state.js';
import { Route } from '../http/routes/route.js';
import { ReconcileEndpointDto, RecoverEndpointDto, ReplayMissingDto } from './endpoint-tasks.dto.js';
import { TaskResource, toTaskResource } from './task.resource.js';

const TASK = { status: 202, description: 'The task, which goes on by itself.', resource: TaskResource } as const;
const REFUSALS: readonly ErrorCode[] = [
  'parameter_missing',
  'time_range_invalid',
  'resource_missing',
  'webhook_endpoint_disabled',
  'task_limit_reached',
];

@ApiTags('Webhook endpoints')
@Controller('v1/webhook_endpoints')
export class EndpointTasksController {
  constructor(private readonly commands: CommandBus) {}

  @Post(':id/recover')
  @Route({
    scope: 'webhooks:write',
    rate: 'write',
    name: 'recoverWebhookEndpoint',
    summary: 'Send an endpoint again what it has lost by failing or being disabled',
    about:
      'A task makes a fresh delivery of each event of that time whose delivery has failed, or was cancelled because the endpoint was disabled, unless it has come through since.',
    body: RecoverEndpointDto,
    answers: [TASK],
    errors: REFUSALS,
  })
  async recover(@Client() { context, params }: ClientRequest, @Body() body: RecoverEndpointDto): Promise<TaskResource> {
    return toTaskResource(await this.commands.execute(body.toCommand(context, params['id'] ?? '')));
  }

  @Post(':id/replay_missing')
  @Route({
    scope: 'webhooks:write',
    rate: 'write',
    name: 'replayMissingToWebhookEndpoint',
    summary: 'Send an endpoint the events that it has no delivery of',
    about:
      'A task sends the events of that time that pass its filters as they are when the task starts, and of which it has no delivery: those of a time in which it was disabled, of before its registration, or of before a filter was changed.',
    body: ReplayMissingDto,
    answers: [TASK],
    errors: REFUSALS,
  })
  async replayMissing(@Client() { context, params }: ClientRequest, @Body() body: ReplayMissingDto): Promise<TaskResource> {
    return toTaskResource(await this.commands.execute(body.toCommand(context, params['id'] ?? '')));
  }

  @Post(':id/reconcile')
  @Route({
    scope: 'webhooks:write',
    rate: 'write',
    name: 'reconcileWebhookEndpoint',
    summary: 'Compare what has been received with what an endpoint was to get, and send the difference',
    about:
      'A task compares the ids of the received events with the events of that time that pass its filters as they are when the task starts and happened after its registration, also while it was disabled. It sends what is missing, unless that is on its way.',
    body: ReconcileEndpointDto,
    answers: [TASK],
    errors: REFUSALS,
  })
  async reconcile(@Client() { context, params }: ClientRequest, @Body() body: ReconcileEndpointDto): Promise<TaskResource> {
    return toTaskResource(await this.commands.execute(body.toCommand(context, params['id'] ?? '')));
  }
}
