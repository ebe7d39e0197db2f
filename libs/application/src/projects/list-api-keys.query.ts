import { Query } from '@nestjs/cqrs';
import type { ApiKey } from '@domain/project/api-key';
import type { Page, PageRequest } from '../paging/page.js';

/** A key, and when it was last used as far as is known. */
export interface UsedKey {
  readonly key: ApiKey;
  readonly lastUsedAt: number | null;
}

/** A page of a project's keys, those that no longer work included. */
export class ListApiKeys extends Query<Page<UsedKey>> {
  constructor(
    readonly projectId: string,
    readonly page: PageRequest,
  ) {
    super();
  }
}
