import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { EventStore } from '@ports/event-store.port';
import type { SortKey } from '@ports/read-models.port';
import type { ListKind } from '../paging/cursor.js';
import type { Page } from '../paging/page.js';
import { PagedLists, sortIdOf, sourceOf } from '../paging/paged-list.js';
import { KeyUsage } from './key-usage.js';
import { ListApiKeys, type UsedKey } from './list-api-keys.query.js';
import { ProjectDirectory } from './project-directory.js';

const API_KEYS: ListKind = { list: 'api_keys', idKind: 'apiKey' };

@QueryHandler(ListApiKeys)
export class ListApiKeysHandler implements IQueryHandler<ListApiKeys> {
  constructor(
    private readonly directory: ProjectDirectory,
    private readonly usage: KeyUsage,
    private readonly lists: PagedLists,
    private readonly store: EventStore,
  ) {}

  async execute({ projectId, page }: ListApiKeys): Promise<Page<UsedKey>> {
    this.lists.judge(API_KEYS, page);
    const { keys } = await this.directory.load(projectId);
    const places = new Map(keys.map(({ id, createdAt }, index) => [id, placeOf(createdAt, index)]));
    const log = `${await this.store.identity()}/${projectId}`;
    const source = sourceOf({ ...API_KEYS, log }, keys, ({ id }) => places.get(id) ?? placeOf(0, 0));
    const { items, ...rest } = await this.lists.page(source, page);
    const used = items.map(async (key) => ({ key, lastUsedAt: await this.usage.lastUse(key.id) }));
    return { ...rest, items: await Promise.all(used) };
  }
}

/** The index is stable, because keys are never removed from their project. */
function placeOf(createdAt: number, index: number): SortKey {
  return { createdAt, sortId: sortIdOf(index) };
}
