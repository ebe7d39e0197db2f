import { Query } from '@nestjs/cqrs';
import type { Filter, StoredRow } from '@ports/read-models.port';
import type { Page, PageRequest } from '../paging/page.js';
import type { AuditRow } from './audit-entries.projection.js';

/** The entries of the last ninety days. */
export class ListAuditEntries extends Query<Page<StoredRow<AuditRow>>> {
  constructor(
    readonly filter: Filter,
    readonly page: PageRequest,
  ) {
    super();
  }
}
