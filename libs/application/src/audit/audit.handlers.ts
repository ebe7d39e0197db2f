import { QueryBus, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { AUDIT_WINDOW_MS } from '@domain/audit/audit-window';
import type { Condition, StoredRow } from '@ports/read-models.port';
import type { Page } from '../paging/page.js';
import { INSTALLATION } from '../projects/projects.projection.js';
import { ListPage } from '../read-models/list-page.query.js';
import { TrustedTime } from '../runtime/log-time.js';
import { auditEntriesProjection, type AuditRow } from './audit-entries.projection.js';
import { ListAuditEntries } from './audit.queries.js';

@QueryHandler(ListAuditEntries)
export class ListAuditEntriesHandler implements IQueryHandler<ListAuditEntries> {
  constructor(
    private readonly queries: QueryBus,
    private readonly time: TrustedTime,
  ) {}

  execute({ filter, page }: ListAuditEntries): Promise<Page<StoredRow<AuditRow>>> {
    const recent: Condition = { field: 'createdAt', op: 'gt', value: this.time.now() - AUDIT_WINDOW_MS };
    const kept = filter.length === 0 ? [[recent]] : filter.map((conditions) => [...conditions, recent]);
    return this.queries.execute(new ListPage(auditEntriesProjection, INSTALLATION, kept, page));
  }
}
