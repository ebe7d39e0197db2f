import { Controller, Get, Post } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { ApiExcludeController } from '@nestjs/swagger';
import { ProjectionRunners } from '@application/projections/projection-runners';
import { DomainError, resourceMissing } from '@domain/kernel/domain-error';
import { Client, type AdminRequest } from '../http/pipeline/request-state.js';
import { toList } from '../http/paging/list.resource.js';
import { AdminRoute } from '../http/routes/route.js';
import { toProjectionResource } from './projection.resource.js';

@ApiExcludeController()
@Controller('admin/v1/projections')
export class ProjectionsController {
  constructor(private readonly modules: ModuleRef) {}

  @Get()
  @AdminRoute()
  async list() {
    const items = await this.projections().status();
    return toList({ items, hasMore: false, nextCursor: null }, toProjectionResource);
  }

  /** Starts the rebuild and answers at once; the list shows its progress. */
  @Post(':name/rebuild')
  @AdminRoute({ status: 202 })
  async rebuild(@Client() { params }: AdminRequest) {
    const projections = this.projections();
    projections.rebuild(params['name'] ?? '');
    const status = (await projections.status()).find(({ name }) => name === params['name']);
    if (!status) throw resourceMissing('projection', 'name');
    return toProjectionResource(status);
  }

  /** Looked up on demand: only a process that runs projections provides it. */
  private projections(): ProjectionRunners {
    try {
      return this.modules.get(ProjectionRunners, { strict: false });
    } catch {
      throw new DomainError('service_unavailable', 'This process does not run the projections.');
    }
  }
}
