import type {
  RowsSchema,
  DueKey,
  ListedRow,
  ListQuery,
  Look,
  LookQuery,
  PageQuery,
  ScanQuery,
  SortKey,
  StoredRow,
} from '@ports/read-models.port';
import type { AnyBulkWriteOperation, Collection } from 'mongodb';
import { ensureIndexes, indexNames, type NamedIndex } from './ensure-indexes.js';
import { ROW, type RowDocument, toStored } from './row-documents.js';
import { dueFilter, expressionOf, foundFilter, lookedAtFilter, pathOf, rowFilter } from './row-filter.js';
import { READ, type StoreClient } from './store-client.js';
import { upserting } from './upserting.js';

/** A document in every generation's collection. A collection recreated by a write after a drop lacks it. */
const MARK = '#generation';

export class CollectionRows {
  private readonly rows: Collection<RowDocument>;

  constructor(
    private readonly client: StoreClient,
    private readonly schema: RowsSchema,
    generation: string,
  ) {
    this.rows = client.collection(generationName(schema.name, generation));
  }

  async create(): Promise<void> {
    await this.ensureIndexes();
    await this.mark();
  }

  ensureIndexes(): Promise<void> {
    return this.client.ask((deadline) => ensureIndexes(this.rows, indexesOf(this.schema), deadline));
  }

  /** Whether it has all its indexes; a dropped one has not. */
  async hasIndexes(): Promise<boolean> {
    const found = await this.client.ask((deadline) => indexNames(this.rows, deadline));
    return indexesOf(this.schema).every(({ name }) => found.includes(name));
  }

  async mark(): Promise<void> {
    const marked = { $set: { deleted: true } };
    await this.client.ask((deadline) =>
      upserting(() => this.rows.updateOne({ _id: MARK }, marked, { upsert: true, ...deadline })),
    );
  }

  /** Without its mark, the collection was dropped. */
  async isMarked(): Promise<boolean> {
    const options = { projection: { _id: 1 }, ...READ } as const;
    return (await this.client.ask((deadline) => this.rows.findOne({ _id: MARK }, { ...options, ...deadline }))) !== null;
  }

  /** An estimate after a crash of the server. */
  async count(): Promise<number> {
    const documents = await this.client.ask((deadline) => this.rows.estimatedDocumentCount({ ...READ, ...deadline }));
    return Math.max(0, documents - 1);
  }

  async drop(): Promise<void> {
    await this.client.ask((deadline) => this.rows.drop(deadline));
  }

  async write(documents: readonly RowDocument[]): Promise<void> {
    if (documents.length === 0) return;
    const writes = documents.map(guarded);
    await this.client.write((deadline) => upserting(() => this.rows.bulkWrite(writes, { ordered: false, ...deadline })));
  }

  async getMany(ids: readonly string[]): Promise<readonly (StoredRow | null)[]> {
    if (ids.length === 0) return [];
    const options = { projection: ROW, batchSize: ids.length + 1, ...READ };
    const found = await this.client.ask((deadline) =>
      this.rows.find({ _id: { $in: [...ids] } }, { ...options, ...deadline }).toArray(),
    );
    const byId = new Map(found.map((document) => [document._id, document]));
    return ids.map((id) => {
      const document = byId.get(id);
      return document ? toStored(document) : null;
    });
  }

  async page(query: PageQuery): Promise<readonly StoredRow[]> {
    return (await this.found<RowDocument>(query, ROW)).map(toStored);
  }

  async list(query: ListQuery): Promise<readonly ListedRow[]> {
    const { outdated } = query;
    const isTrue = outdated ? { $not: [expressionOf(this.schema, outdated)] } : true;
    const isShown = { $and: [isTrue, { $eq: [{ $type: '$text' }, 'string'] }] };
    const ofRow = { projectId: 1, position: 1, deleted: 1, row: { $cond: [isShown, '$$REMOVE', '$row'] } };
    const projection = { createdAt: 1, sortId: 1, text: { $cond: [isShown, '$text', '$$REMOVE'] }, ...ofRow };
    return (await this.found<RowDocument>(query, projection)).map((document) => {
      const { createdAt, sortId, text } = document;
      return { createdAt, sortId, ...(text === undefined ? readOf(document) : { text }) };
    });
  }

  /** Finds the place at which to stop in the index alone, then the rows up to there. */
  async look(query: LookQuery): Promise<Look> {
    const { by, reach, limit } = query;
    const isEmpty = Array.isArray(by.value) && by.value.length === 0;
    if (limit <= 0 || isEmpty) return { rows: [], end: null };
    const options = { sort: sortOf(query), hint: indexName(by.field), ...READ };
    const place = { ...options, projection: { _id: 0, createdAt: 1, sortId: 1 }, skip: reach - 1, limit: 1 };
    const [end] = await this.client.ask((deadline) =>
      this.rows
        .find(lookedAtFilter(this.schema, query), { ...place, ...deadline })
        .project<SortKey>(place.projection)
        .toArray(),
    );
    const page = { ...options, projection: ROW, limit, batchSize: limit + 1 };
    const found = await this.client.ask((deadline) =>
      this.rows.find(foundFilter(this.schema, query, end), { ...page, ...deadline }).toArray(),
    );
    return { rows: found.map(toStored), end: end && found.length < limit ? end : null };
  }

  async due(field: string, upTo: number, limit: number, after?: DueKey): Promise<readonly StoredRow[]> {
    const filter = dueFilter(this.schema, field, upTo, after);
    if (limit <= 0) return [];
    const options = { sort: { [pathOf(field)]: 1, _id: 1 }, limit, projection: ROW, batchSize: limit + 1, ...READ } as const;
    const found = await this.client.ask((deadline) => this.rows.find(filter, { ...options, ...deadline }).toArray());
    return found.map(toStored);
  }

  async scan({ after, limit }: ScanQuery): Promise<readonly StoredRow[]> {
    if (limit <= 0) return [];
    const filter = { _id: { $ne: MARK, ...(after !== undefined && { $gt: after }) } };
    const options = { sort: { _id: 1 }, limit, projection: ROW, batchSize: limit + 1, ...READ } as const;
    const found = await this.client.ask((deadline) => this.rows.find(filter, { ...options, ...deadline }).toArray());
    return found.map(toStored);
  }

  private async found<Shape>(query: PageQuery, projection: object): Promise<Shape[]> {
    const filter = rowFilter(this.schema, query);
    if (query.limit <= 0) return [];
    const options = { sort: sortOf(query), limit: query.limit, projection, batchSize: query.limit + 1, ...READ };
    return this.client.ask(
      (deadline) => this.rows.find(filter, { ...options, ...deadline }).toArray() as Promise<unknown> as Promise<Shape[]>,
    );
  }
}

function sortOf({ order }: Pick<PageQuery, 'order'>) {
  const direction = order === 'desc' ? -1 : 1;
  return { createdAt: direction, sortId: direction } as const;
}

/** The row itself; an empty text if it is damaged. */
function readOf(document: RowDocument): { readonly text: null; readonly stored: StoredRow } | { readonly text: '' } {
  try {
    return { text: null, stored: toStored(document) };
  } catch {
    return { text: '' };
  }
}

/** Collection names of a read model begin with its name and `_`. */
export function generationName(name: string, generation: string): string {
  return `${name}_${generation}`;
}

/** Unlike an upsert with the guard as filter, raises no error when nothing changes. */
function guarded(document: RowDocument): AnyBulkWriteOperation<RowDocument> {
  const isNewer = { $lt: [{ $ifNull: ['$position', ''] }, document.position] };
  const update = [{ $replaceWith: { $cond: [isNewer, { $literal: document }, '$$ROOT'] } }];
  return { updateOne: { filter: { _id: { $eq: document._id } }, update, upsert: true } };
}

function indexName(field: string): string {
  return `by ${field}`;
}

function indexesOf({ filterFields, dueFields }: RowsSchema): readonly NamedIndex[] {
  const [scope, order] = [{ projectId: 1, deleted: 1 } as const, { createdAt: 1, sortId: 1 } as const];
  return [
    { name: 'list', key: { ...scope, ...order } },
    ...filterFields.map((field) => ({ name: indexName(field), key: { ...scope, [pathOf(field)]: 1, ...order } })),
    ...dueFields.map((field) => ({
      name: `due ${field}`,
      key: { [pathOf(field)]: 1, _id: 1 },
      partialFilterExpression: { [pathOf(field)]: { $type: 'number' }, deleted: false },
    })),
  ];
}
