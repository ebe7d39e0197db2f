import { Body, Controller, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Client, type ClientRequest } from '../http/pipeline/request-state.js';
import { Route } from '../http/routes/route.js';
import { RetryDeliveriesDto } from './retry-deliveries.dto.js';
import { TaskResource, toTaskResource } from './task.resource.js';

@ApiTags('Events')
@Controller('v1/deliveries')
export class RetryDeliveriesController {
  constructor(private readonly commands: CommandBus) {}

  @Post('retry')
  @Route({
    scope: 'webhooks:write',
    rate: 'write',
    name: 'retryDeliveries',
    summary: 'Replay many deliveries, by a task',
    about:
      'Each event and endpoint among those that match gets at most one fresh delivery, with the same bytes and the whole schedule of attempts. Fresh deliveries never delay those of new events. A dry run tells first how many there would be.',
    body: RetryDeliveriesDto,
    answers: [{ status: 202, description: 'The task, which goes on by itself.', resource: TaskResource }],
    refers: 'endpoint_id',
    errors: ['parameter_missing', 'parameter_too_long', 'resource_missing', 'task_limit_reached'],
  })
  async retry(@Client() { context }: ClientRequest, @Body() body: RetryDeliveriesDto): Promise<TaskResource> {
    return toTaskResource(await this.commands.execute(body.toCommand(context)));
  }
}
