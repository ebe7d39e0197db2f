import type { RowsSchema, DueKey, ListedRow, ListQuery, PageQuery, StoredRow } from '@ports/read-models.port';
import type { AnyBulkWriteOperation, Collection } from 'mongodb';
import { ensureIndexes, indexNames, type NamedIndex } from './ensure-indexes.js';
import { ROW, type RowDocument, toStored } from './row-documents.js';
import { dueFilter, expressionOf, pathOf, rowFilter } from './row-filter.js';
import { READ, type StoreClient } from './store-client.js';
import { upserting } from './upserting.js';

/** The id of a document in every generation's collection. One that a write made after a drop does not have it. */
const MARK = '#generation';

/** The documents of one generation of a collection. */
export class CollectionRows {
  private readonly rows: Collection<RowDocument>;

  constructor(
    private readonly client: StoreClient,
    private readonly schema: RowsSchema,
    generation: string,
  ) {
    this.rows = client.collection(generationName(schema.name, generation));
  }

  /** Creates the collection with its indexes and its mark. */
  async create(): Promise<void> {
    await this.ensureIndexes();
    await this.mark();
  }

  /** Creates the indexes that are missing. */
  ensureIndexes(): Promise<void> {
    return this.client.ask((deadline) => ensureIndexes(this.rows, indexesOf(this.schema), deadline));
  }

  /** Whether the collection has all its indexes, as one that was not dropped meanwhile. */
  async hasIndexes(): Promise<boolean> {
    const found = await this.client.ask((deadline) => indexNames(this.rows, deadline));
    return indexesOf(this.schema).every(({ name }) => found.includes(name));
  }

  /** Stores the mark of these rows. */
  async mark(): Promise<void> {
    const marked = { $set: { deleted: true } };
    await this.client.ask((deadline) =>
      upserting(() => this.rows.updateOne({ _id: MARK }, marked, { upsert: true, ...deadline })),
    );
  }

  /** Whether their mark is there. Without it, the collection was dropped. */
  async isMarked(): Promise<boolean> {
    const options = { projection: { _id: 1 }, ...READ } as const;
    return (await this.client.ask((deadline) => this.rows.findOne({ _id: MARK }, { ...options, ...deadline }))) !== null;
  }

  async drop(): Promise<void> {
    await this.client.ask((deadline) => this.rows.drop(deadline));
  }

  /** A row whose stored position is the same or newer stays as it is. */
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

  async due(field: string, upTo: number, limit: number, after?: DueKey): Promise<readonly StoredRow[]> {
    const filter = dueFilter(this.schema, field, upTo, after);
    if (limit <= 0) return [];
    const options = { sort: { [pathOf(field)]: 1, _id: 1 }, limit, projection: ROW, batchSize: limit + 1, ...READ } as const;
    const found = await this.client.ask((deadline) => this.rows.find(filter, { ...options, ...deadline }).toArray());
    return found.map(toStored);
  }

  private async found<Shape>(query: PageQuery, projection: object): Promise<Shape[]> {
    const filter = rowFilter(this.schema, query);
    if (query.limit <= 0) return [];
    const direction = query.order === 'desc' ? -1 : 1;
    const sort = { createdAt: direction, sortId: direction } as const;
    const options = { sort, limit: query.limit, projection, batchSize: query.limit + 1, ...READ };
    return this.client.ask(
      (deadline) => this.rows.find(filter, { ...options, ...deadline }).toArray() as Promise<unknown> as Promise<Shape[]>,
    );
  }
}

/** The row itself; an empty text where what is stored of it is damaged. */
function readOf(document: RowDocument): { readonly text: null; readonly stored: StoredRow } | { readonly text: '' } {
  try {
    return { text: null, stored: toStored(document) };
  } catch {
    return { text: '' };
  }
}

/** The name of a generation's collection; every one of a read model begins with the read model's name and `_`. */
export function generationName(name: string, generation: string): string {
  return `${name}_${generation}`;
}

/** Gives no error where nothing is to be done, unlike an upsert whose filter is the guard. */
function guarded(document: RowDocument): AnyBulkWriteOperation<RowDocument> {
  const isNewer = { $lt: [{ $ifNull: ['$position', ''] }, document.position] };
  const update = [{ $replaceWith: { $cond: [isNewer, { $literal: document }, '$$ROOT'] } }];
  return { updateOne: { filter: { _id: { $eq: document._id } }, update, upsert: true } };
}

function indexesOf({ filterFields, dueFields }: RowsSchema): readonly NamedIndex[] {
  const [scope, order] = [{ projectId: 1, deleted: 1 } as const, { createdAt: 1, sortId: 1 } as const];
  return [
    { name: 'list', key: { ...scope, ...order } },
    ...filterFields.map((field) => ({ name: `by ${field}`, key: { ...scope, [pathOf(field)]: 1, ...order } })),
    ...dueFields.map((field) => ({
      name: `due ${field}`,
      key: { [pathOf(field)]: 1, _id: 1 },
      partialFilterExpression: { [pathOf(field)]: { $type: 'number' }, deleted: false },
    })),
  ];
}
