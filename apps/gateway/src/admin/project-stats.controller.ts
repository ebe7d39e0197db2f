import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { GetConversationStats } from '@application/conversations/stats/conversation-stats.query';
import { GetDeliveryBacklog } from '@application/webhooks/stats/delivery-backlog.query';
import { Client, type AdminRequest } from '../http/pipeline/request-state.js';
import { AdminRoute } from '../http/routes/route.js';
import { WINDOW_FILTERS, windowOf } from '../v1/window-filters.js';
import { ConversationStatsResource, toConversationStatsResource } from './conversation-stats.resource.js';
import { DeliveryBacklogResource, toDeliveryBacklogResource } from './delivery-backlog.resource.js';

/** What the console shows of a project beside the statistics that its clients have too. */
@ApiTags('Projects')
@Controller('admin/v1/projects/:id')
export class ProjectStatsController {
  constructor(private readonly queries: QueryBus) {}

  @Get('conversation_stats')
  @AdminRoute({
    name: 'getConversationStats',
    summary: "Count what was said in a project's conversations",
    about: 'Messages and turns count in the span in which they were posted or ended. Percentiles come from counts by 24 bounds.',
    filters: WINDOW_FILTERS,
    answers: [{ status: 200, description: 'The counts as of now.', resource: ConversationStatsResource }],
    errors: ['parameter_invalid', 'resource_missing'],
  })
  async conversations(@Client() { params, query }: AdminRequest): Promise<ConversationStatsResource> {
    const stats = new GetConversationStats(params['id'] ?? '', windowOf(query));
    return toConversationStatsResource(await this.queries.execute(stats));
  }

  @Get('delivery_backlog')
  @AdminRoute({
    name: 'getDeliveryBacklog',
    summary: "Count a project's deliveries that are not finished, by retry tier",
    answers: [{ status: 200, description: 'The counts as of now.', resource: DeliveryBacklogResource }],
    errors: ['resource_missing'],
  })
  async backlog(@Client() { params }: AdminRequest): Promise<DeliveryBacklogResource> {
    return toDeliveryBacklogResource(await this.queries.execute(new GetDeliveryBacklog(params['id'] ?? '')));
  }
}
