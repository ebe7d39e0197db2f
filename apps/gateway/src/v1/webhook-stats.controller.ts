import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { GetWebhookStats } from '@application/webhooks/stats/webhook-stats.query';
import { Client, type ClientRequest } from '../http/pipeline/request-state.js';
import { Route } from '../http/routes/route.js';
import { WINDOW_FILTERS, windowOf } from './window-filters.js';
import {
  toWebhookEndpointStatsResource,
  toWebhookStatsResource,
  WebhookEndpointStatsResource,
  WebhookStatsResource,
} from './webhook-stats.resource.js';

const ABOUT =
  'Deliveries and attempts count in the span in which they ended. Tests are not counted. Percentiles come from counts by 24 bounds.';

@ApiTags('Webhook endpoints')
@Controller('v1')
export class WebhookStatsController {
  constructor(private readonly queries: QueryBus) {}

  @Get('webhook_endpoints/:id/stats')
  @Route({
    scope: 'webhooks:read',
    rate: 'read',
    name: 'getWebhookEndpointStats',
    summary: 'Count how the deliveries to an endpoint went',
    about: ABOUT,
    filters: WINDOW_FILTERS,
    answers: [{ status: 200, description: 'The counts as of now.', resource: WebhookEndpointStatsResource }],
    errors: ['parameter_invalid', 'resource_missing'],
  })
  async ofEndpoint(@Client() { caller, params, query }: ClientRequest): Promise<WebhookEndpointStatsResource> {
    const stats = new GetWebhookStats(caller.projectId, params['id'] ?? '', windowOf(query));
    return toWebhookEndpointStatsResource(await this.queries.execute(stats));
  }

  @Get('webhook_stats')
  @Route({
    scope: 'webhooks:read',
    rate: 'read',
    name: 'getWebhookStats',
    summary: "Count how the deliveries to all of the project's endpoints went",
    about: ABOUT,
    filters: WINDOW_FILTERS,
    answers: [{ status: 200, description: 'The counts as of now.', resource: WebhookStatsResource }],
    errors: ['parameter_invalid'],
  })
  async ofProject(@Client() { caller, query }: ClientRequest): Promise<WebhookStatsResource> {
    return toWebhookStatsResource(await this.queries.execute(new GetWebhookStats(caller.projectId, null, windowOf(query))));
  }
}
