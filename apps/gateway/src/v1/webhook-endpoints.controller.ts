import { Body, Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import {
  DeleteEndpoint,
  GetEndpoint,
  ListEndpoints,
  PauseEndpoint,
  ResumeEndpoint,
} from '@application/webhooks/endpoints/endpoint.commands';
import { ENDPOINT_STATUSES } from '@domain/endpoint/endpoint.events';
import type { ErrorCode } from '@domain/kernel/domain-error';
import { oneOf, readFilter, timeRange, type Filters } from '../http/paging/list-filters.js';
import { toList, type ListResource } from '../http/paging/list.resource.js';
import { readTimedPage } from '../http/paging/read-page.js';
import { Client, type ClientRequest } from '../http/pipeline/request-state.js';
import { ListRoute, Route } from '../http/routes/route.js';
import { DeliveryResource, toDeliveryResource } from './delivery.resource.js';
import {
  DeletedWebhookEndpointResource,
  toWebhookEndpointResource,
  toWebhookEndpointWithSecretResource,
  WebhookEndpointResource,
  WebhookEndpointWithSecretResource,
} from './webhook-endpoint.resource.js';
import { RegisterEndpointDto, RotateSecretDto, TestEndpointDto, UpdateEndpointDto } from './webhook-endpoints.dto.js';
import { ENDPOINT_STATUS } from './meanings.js';
import { withMeanings } from '../http/docs/with-meanings.js';

const ENDPOINT = {
  status: 200,
  description: 'The endpoint as it is now, without its secret.',
  resource: WebhookEndpointResource,
} as const;
const WITH_SECRET = {
  status: 200,
  description: 'The endpoint with its new signing secret, which is shown this once.',
  resource: WebhookEndpointWithSecretResource,
} as const;
const REFUSALS: readonly ErrorCode[] = [
  'parameter_too_long',
  'url_invalid',
  'event_filter_invalid',
  'metadata_invalid',
  'metadata_too_large',
];
const FILTERS: Filters = {
  status: oneOf(withMeanings('Only endpoints in this status.', ENDPOINT_STATUS), 'status', ENDPOINT_STATUSES),
  created_at: timeRange('Only endpoints registered', 'createdAt'),
};

@ApiTags('Webhook endpoints')
@Controller('v1/webhook_endpoints')
export class WebhookEndpointsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post()
  @Route({
    scope: 'webhooks:write',
    rate: 'registration',
    summary: 'Register an endpoint',
    about: 'The answer shows the signing secret, this once. Events from now on are sent to it; up to 50 endpoints in a project.',
    body: RegisterEndpointDto,
    answers: [{ ...WITH_SECRET, status: 201 }],
    errors: [...REFUSALS, 'parameter_missing', 'limit_exceeded'],
  })
  async register(
    @Client() { context }: ClientRequest,
    @Body() body: RegisterEndpointDto,
  ): Promise<WebhookEndpointWithSecretResource> {
    return toWebhookEndpointWithSecretResource(await this.commands.execute(body.toCommand(context)));
  }

  @Get()
  @ListRoute({
    scope: 'webhooks:read',
    summary: 'List endpoints',
    filters: FILTERS,
    resource: WebhookEndpointResource,
    kind: 'endpoint',
  })
  async list(@Client() { caller, query }: ClientRequest): Promise<ListResource<WebhookEndpointResource>> {
    readFilter(query, FILTERS);
    const status = ENDPOINT_STATUSES.find((each) => each === query['status']) ?? null;
    return toList(
      await this.queries.execute(new ListEndpoints(caller.projectId, status, readTimedPage(query))),
      toWebhookEndpointResource,
    );
  }

  @Get(':id')
  @Route({
    scope: 'webhooks:read',
    rate: 'read',
    summary: 'Retrieve an endpoint',
    answers: [ENDPOINT],
    errors: ['resource_missing'],
  })
  async get(@Client() { caller, params }: ClientRequest): Promise<WebhookEndpointResource> {
    return toWebhookEndpointResource(await this.queries.execute(new GetEndpoint(caller.projectId, params['id'] ?? '')));
  }

  @Patch(':id')
  @Route({
    scope: 'webhooks:write',
    rate: 'write',
    summary: 'Change an endpoint',
    about: 'Disabling it cancels what waits for it; what happens meanwhile is not sent later.',
    body: UpdateEndpointDto,
    answers: [ENDPOINT],
    errors: [...REFUSALS, 'resource_missing'],
  })
  async update(@Client() { context, params }: ClientRequest, @Body() body: UpdateEndpointDto): Promise<WebhookEndpointResource> {
    return toWebhookEndpointResource(await this.commands.execute(body.toCommand(context, params['id'] ?? '')));
  }

  @Post(':id/pause')
  @Route({
    scope: 'webhooks:write',
    rate: 'write',
    summary: 'Pause an endpoint',
    about:
      'No attempt begins later than two seconds after the answer, except for tests. Events go on making deliveries, which wait with `next_attempt_at` null until it is resumed; what still waits when its event expires is cancelled. A paused one stays as it is. During an update of the service it is refused with 503 for a while.',
    answers: [ENDPOINT],
    errors: ['resource_missing', 'webhook_endpoint_disabled', 'service_unavailable'],
  })
  async pause(@Client() { context, params }: ClientRequest): Promise<WebhookEndpointResource> {
    return toWebhookEndpointResource(await this.commands.execute(new PauseEndpoint(context, params['id'] ?? '')));
  }

  @Post(':id/resume')
  @Route({
    scope: 'webhooks:write',
    rate: 'write',
    summary: 'Resume a paused endpoint',
    about:
      'All that waits for it is due at once, retries too, and sent in the order of the events. An enabled one stays as it is.',
    answers: [ENDPOINT],
    errors: ['resource_missing', 'webhook_endpoint_disabled'],
  })
  async resume(@Client() { context, params }: ClientRequest): Promise<WebhookEndpointResource> {
    return toWebhookEndpointResource(await this.commands.execute(new ResumeEndpoint(context, params['id'] ?? '')));
  }

  @Delete(':id')
  @Route({
    scope: 'webhooks:write',
    rate: 'write',
    summary: 'Delete an endpoint; what still waits for it is cancelled',
    answers: [
      {
        status: 200,
        description: 'The endpoint is deleted: nothing more is sent to it.',
        resource: DeletedWebhookEndpointResource,
      },
    ],
    errors: ['resource_missing'],
  })
  async delete(@Client() { context, params }: ClientRequest): Promise<DeletedWebhookEndpointResource> {
    const { id } = await this.commands.execute(new DeleteEndpoint(context, params['id'] ?? ''));
    return { id, object: 'webhook_endpoint', deleted: true };
  }

  @Post(':id/rotate_secret')
  @Route({
    scope: 'webhooks:write',
    rate: 'write',
    name: 'rotateWebhookEndpointSecret',
    summary: 'Give an endpoint a new signing secret',
    about:
      'Until the grace period is over, deliveries are signed with both secrets, so that the receiver can change over in between.',
    body: RotateSecretDto,
    answers: [WITH_SECRET],
    errors: ['resource_missing'],
  })
  async rotate(
    @Client() { context, params }: ClientRequest,
    @Body() body: RotateSecretDto,
  ): Promise<WebhookEndpointWithSecretResource> {
    return toWebhookEndpointWithSecretResource(await this.commands.execute(body.toCommand(context, params['id'] ?? '')));
  }

  @Post(':id/test')
  @Route({
    scope: 'webhooks:write',
    rate: 'write',
    summary: 'Send a made-up event to an endpoint; it is not in the events log',
    about:
      'Its body says `"test": true`. It is delivered as any other event, with retries; what its filters are does not matter.',
    body: TestEndpointDto,
    answers: [{ status: 202, description: 'The delivery of the made-up event, on its way.', resource: DeliveryResource }],
    errors: ['resource_missing', 'webhook_endpoint_disabled', 'parameter_too_long', 'metadata_invalid', 'metadata_too_large'],
  })
  async test(@Client() { context, params }: ClientRequest, @Body() body: TestEndpointDto): Promise<DeliveryResource> {
    return toDeliveryResource(await this.commands.execute(body.toCommand(context, params['id'] ?? '')));
  }
}
