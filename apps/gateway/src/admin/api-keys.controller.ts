import { Body, Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { KeyUsage } from '@application/projects/key-usage';
import { ListApiKeys } from '@application/projects/list-api-keys.query';
import { ChangeProject } from '@application/projects/project.commands';
import { TrustedTime } from '@application/runtime/log-time';
import { knownKey } from '@domain/project/api-key';
import type { Project } from '@domain/project/project.decider';
import { timeRange } from '../http/paging/list-filters.js';
import { toList, type ListResource } from '../http/paging/list.resource.js';
import { readTimedPage } from '../http/paging/read-page.js';
import { Client, type AdminRequest } from '../http/pipeline/request-state.js';
import { AdminListRoute, AdminRoute } from '../http/routes/route.js';
import { ApiKeyResource, IssuedApiKeyResource, toApiKeyResource, toIssuedKeyResource } from './api-key.resource.js';
import { CreateApiKeyDto, RotateApiKeyDto, UpdateApiKeyDto } from './api-keys.dto.js';

const FILTERS = { created_at: timeRange('Only keys created', 'createdAt') };

const KEY = { status: 200, description: 'The key as it is now.', resource: ApiKeyResource } as const;
const ISSUED = { status: 201, description: 'The new key, with its secret.', resource: IssuedApiKeyResource } as const;

@ApiTags('API keys')
@Controller('admin/v1/projects/:id/api_keys')
export class ApiKeysController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly usage: KeyUsage,
    private readonly time: TrustedTime,
  ) {}

  @Get()
  @AdminListRoute({
    summary: "List a project's API keys",
    filters: FILTERS,
    resource: ApiKeyResource,
    kind: 'apiKey',
    errors: ['resource_missing'],
  })
  async list(@Client() { params, query }: AdminRequest): Promise<ListResource<ApiKeyResource>> {
    const projectId = params['id'] ?? '';
    const page = await this.queries.execute(new ListApiKeys(projectId, readTimedPage(query)));
    return toList(page, (used) => toApiKeyResource({ projectId, ...used }, this.time.now()));
  }

  @Post()
  @AdminRoute({
    name: 'createApiKey',
    summary: 'Make an API key',
    about: 'The answer shows its secret, this once.',
    body: CreateApiKeyDto,
    answers: [ISSUED],
    errors: ['parameter_missing', 'parameter_too_long', 'resource_missing', 'limit_exceeded'],
  })
  async issue(@Client() { context, params }: AdminRequest, @Body() body: CreateApiKeyDto): Promise<IssuedApiKeyResource> {
    return toIssuedKeyResource(await this.commands.execute(body.toCommand(context, params['id'] ?? '')), this.time.now());
  }

  @Patch(':key_id')
  @AdminRoute({
    summary: 'Change an API key',
    body: UpdateApiKeyDto,
    answers: [KEY],
    errors: ['parameter_too_long', 'resource_missing'],
  })
  async update(@Client() { context, params }: AdminRequest, @Body() body: UpdateApiKeyDto): Promise<ApiKeyResource> {
    const { id = '', key_id: keyId = '' } = params;
    return this.shown(await this.commands.execute(body.toCommand(context, id, keyId)), keyId);
  }

  @Delete(':key_id')
  @AdminRoute({ summary: 'End an API key at once', answers: [KEY], errors: ['resource_missing'] })
  async revoke(@Client() { context, params }: AdminRequest): Promise<ApiKeyResource> {
    const { id = '', key_id: keyId = '' } = params;
    return this.shown(await this.commands.execute(new ChangeProject(context, id, { type: 'RevokeApiKey', keyId })), keyId);
  }

  @Post(':key_id/rotate')
  @AdminRoute({
    summary: 'Replace an API key by a new one',
    about: 'The old one works on until the grace period is over. The answer shows the new secret, this once.',
    body: RotateApiKeyDto,
    answers: [ISSUED],
    errors: ['resource_missing', 'limit_exceeded'],
  })
  async rotate(@Client() { context, params }: AdminRequest, @Body() body: RotateApiKeyDto): Promise<IssuedApiKeyResource> {
    const { id = '', key_id: keyId = '' } = params;
    return toIssuedKeyResource(await this.commands.execute(body.toCommand(context, id, keyId)), this.time.now());
  }

  private async shown({ id: projectId, keys }: Project, keyId: string): Promise<ApiKeyResource> {
    const lastUsedAt = await this.usage.lastUse(keyId);
    return toApiKeyResource({ projectId, key: knownKey(keys, keyId), lastUsedAt }, this.time.now());
  }
}
