import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { ListAuditEntries } from '@application/audit/audit.queries';
import { exactly, idOf, readFilter, timeRange, type Filters } from '../../http/paging/list-filters.js';
import { toList, type ListResource } from '../../http/paging/list.resource.js';
import { readPage } from '../../http/paging/read-page.js';
import { Client, type AdminRequest } from '../../http/pipeline/request-state.js';
import { AdminListRoute } from '../../http/routes/route.js';
import { AuditEntryResource, toAuditEntryResource } from './audit-entry.resource.js';

const FILTERS: Filters = {
  session_id: idOf('adminSession', 'Only requests of this admin session, its login included.', 'sessionId'),
  project_id: idOf('project', 'Only requests about this project.', 'ofProject'),
  subject_id: exactly('Only requests about the resource with this id.', 'subjectId'),
  created_at: timeRange('Only requests answered', 'createdAt'),
};

@ApiTags('Installation')
@Controller('admin/v1/audit_log')
export class AuditLogController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @AdminListRoute({
    name: 'listAuditEntries',
    summary: 'List what was asked of the admin API: every request but GET',
    filters: FILTERS,
    resource: AuditEntryResource,
    kind: 'audit',
  })
  async list(@Client() { query }: AdminRequest): Promise<ListResource<AuditEntryResource>> {
    const list = new ListAuditEntries(readFilter(query, FILTERS), readPage(query));
    return toList(await this.queries.execute(list), toAuditEntryResource);
  }
}
