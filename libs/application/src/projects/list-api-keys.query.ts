import { Query } from '@nestjs/cqrs';
import type { ApiKey } from '@domain/project/api-key';
import type { Page, PageRequest } from '../paging/page.js';

export interface UsedKey {
  readonly key: ApiKey;
  readonly lastUsedAt: number | null;
}

/** Includes revoked and expired keys. */
export class ListApiKeys extends Query<Page<UsedKey>> {
  constructor(
    readonly projectId: string,
    readonly page: PageRequest,
  ) {
    super();
  }
}
