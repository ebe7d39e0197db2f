import { Body, Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiExcludeController } from '@nestjs/swagger';
import { KeyUsage } from '@application/projects/key-usage';
import { ListApiKeys } from '@application/projects/list-api-keys.query';
import { ChangeProject } from '@application/projects/project.commands';
import { TrustedTime } from '@application/runtime/log-time';
import { knownKey } from '@domain/project/api-key';
import type { Project } from '@domain/project/project.decider';
import { timeRange } from '../http/paging/list-filters.js';
import { toList } from '../http/paging/list.resource.js';
import { readTimedPage } from '../http/paging/read-page.js';
import { Client, type AdminRequest } from '../http/pipeline/request-state.js';
import { AdminRoute } from '../http/routes/route.js';
import { toApiKeyResource, toIssuedKeyResource } from './api-key.resource.js';
import { CreateApiKeyDto, RotateApiKeyDto, UpdateApiKeyDto } from './api-keys.dto.js';

const FILTERS = { created_at: timeRange('Only keys created', 'createdAt') };

@ApiExcludeController()
@Controller('admin/v1/projects/:id/api_keys')
export class ApiKeysController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly usage: KeyUsage,
    private readonly time: TrustedTime,
  ) {}

  @Get()
  @AdminRoute({ filters: FILTERS })
  async list(@Client() { params, query }: AdminRequest) {
    const projectId = params['id'] ?? '';
    const page = await this.queries.execute(new ListApiKeys(projectId, readTimedPage(query)));
    return toList(page, (used) => toApiKeyResource({ projectId, ...used }, this.time.now()));
  }

  @Post()
  @AdminRoute({ status: 201, body: CreateApiKeyDto })
  async issue(@Client() { context, params }: AdminRequest, @Body() body: CreateApiKeyDto) {
    return toIssuedKeyResource(await this.commands.execute(body.toCommand(context, params['id'] ?? '')), this.time.now());
  }

  @Patch(':keyId')
  @AdminRoute({ body: UpdateApiKeyDto })
  async update(@Client() { context, params }: AdminRequest, @Body() body: UpdateApiKeyDto) {
    const { id = '', keyId = '' } = params;
    return this.shown(await this.commands.execute(body.toCommand(context, id, keyId)), keyId);
  }

  @Delete(':keyId')
  @AdminRoute()
  async revoke(@Client() { context, params }: AdminRequest) {
    const { id = '', keyId = '' } = params;
    return this.shown(await this.commands.execute(new ChangeProject(context, id, { type: 'RevokeApiKey', keyId })), keyId);
  }

  @Post(':keyId/rotate')
  @AdminRoute({ status: 201, body: RotateApiKeyDto })
  async rotate(@Client() { context, params }: AdminRequest, @Body() body: RotateApiKeyDto) {
    const { id = '', keyId = '' } = params;
    return toIssuedKeyResource(await this.commands.execute(body.toCommand(context, id, keyId)), this.time.now());
  }

  private async shown({ id: projectId, keys }: Project, keyId: string) {
    const lastUsedAt = await this.usage.lastUse(keyId);
    return toApiKeyResource({ projectId, key: knownKey(keys, keyId), lastUsedAt }, this.time.now());
  }
}
