import { Query } from '@nestjs/cqrs';
import type { ApiKey } from '@domain/project/api-key';
import type { Page, PageRequest } from '../paging/page.js';

/** A key with its last use, if known. */
export interface UsedKey {
  readonly key: ApiKey;
  readonly lastUsedAt: number | null;
}

/** A page of a project's keys, including revoked and expired ones. */
export class ListApiKeys extends Query<Page<UsedKey>> {
  constructor(
    readonly projectId: string,
    readonly page: PageRequest,
  ) {
    super();
  }
}
