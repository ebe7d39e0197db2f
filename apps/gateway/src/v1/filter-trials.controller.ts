import { Body, Controller, Post } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Client, type ClientRequest } from '../http/pipeline/request-state.js';
import { Route } from '../http/routes/route.js';
import { FilterTrialResource, toFilterTrialResource } from './filter-trial.resource.js';
import { TestFiltersDto } from './webhook-endpoints.dto.js';

@ApiTags('Webhook endpoints')
@Controller('v1/webhook_endpoints')
export class FilterTrialsController {
  constructor(private readonly queries: QueryBus) {}

  @Post(':id/test_filters')
  @Route({
    scope: 'webhooks:write',
    rate: 'write',
    name: 'testWebhookEndpointFilters',
    summary: 'Try filters on the last events, without setting them',
    about: 'Nothing is sent and nothing is changed.',
    body: TestFiltersDto,
    answers: [{ status: 200, description: 'Which of the last 100 events pass the filters.', resource: FilterTrialResource }],
    errors: ['resource_missing', 'parameter_missing', 'event_filter_invalid'],
  })
  async test(@Client() { caller, params }: ClientRequest, @Body() body: TestFiltersDto): Promise<FilterTrialResource> {
    return toFilterTrialResource(await this.queries.execute(body.toQuery(caller.projectId, params['id'] ?? '')));
  }
}
