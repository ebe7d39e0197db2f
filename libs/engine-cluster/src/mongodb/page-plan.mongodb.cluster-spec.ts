import { SystemClock } from '@adapters/clock.system';
import { position, row } from '@ports/contracts/note-rows';
import type { CollectionSchema, Condition, Filter, LookQuery, PageQuery, SortKey } from '@ports/read-models.port';
import { mongodbRun } from '@testing/mongodb-run';
import { type Collection, type Document, MongoClient } from 'mongodb';
import { type MongoDbPorts, openMongoDb } from './open-mongodb.js';
import { dueFilter, foundFilter, lookedAtFilter, rowFilter } from './row-filter.js';

const ROWS = 2_000;
const LIMIT = 20;
const schema: CollectionSchema = {
  name: 'notes',
  version: 1,
  filterFields: ['status', 'customerId', 'phone'],
  dueFields: ['dueAt'],
};

function stagesOf(plan: Document): readonly string[] {
  const inner = [plan['inputStage'], ...((plan['inputStages'] as Document[] | undefined) ?? [])];
  return [String(plan['stage']), ...inner.flatMap((stage) => (stage ? stagesOf(stage as Document) : []))];
}

describe('a page of many rows', () => {
  const { settings, drop } = mongodbRun(process.env['MONGODB_URL']);
  let ports: MongoDbPorts;
  let raw: MongoClient;
  let rows: Collection;

  beforeAll(async () => {
    ports = await openMongoDb(settings, new SystemClock());
    await ports.readModels.define(schema);
    const of = (at: number) => ({
      status: `s${at % 4}`,
      customerId: at % 3 === 0 ? null : `c${at % 100}`,
      phone: `+49${String(at % 50).padStart(3, '0')}`,
      dueAt: at % 2 === 0 ? at : null,
    });
    const all = Array.from({ length: ROWS }, (_, index) => row(`n${index}`, index + 1, of(index)));
    await ports.readModels.apply('notes', all, position(ROWS));
    raw = await MongoClient.connect(settings.mongodbUrl);
    const found = await raw.db().listCollections({}, { nameOnly: true }).toArray();
    rows = raw.db().collection(String(found.find(({ name }) => name.startsWith(`${settings.prefix}notes@`))?.name));
  });
  afterAll(async () => {
    await ports.close();
    await raw.close();
    await drop();
  });

  const explained = async (filter: Document, sort: Readonly<Record<string, 1 | -1>>) => {
    const { queryPlanner, executionStats } = await rows.find(filter, { sort, limit: LIMIT }).explain('executionStats');
    const { totalKeysExamined, totalDocsExamined, nReturned } = executionStats as Readonly<Record<string, number>>;
    return { stages: stagesOf(queryPlanner.winningPlan as Document), totalKeysExamined, totalDocsExamined, nReturned };
  };
  const page = (filter: Filter, query: Partial<PageQuery> = {}) =>
    explained(rowFilter(schema, { projectId: 'p', filter, order: 'desc', limit: LIMIT, ...query }), {
      createdAt: -1,
      sortId: -1,
    });

  it.each<[string, Filter, Partial<PageQuery>]>([
    ['of all', [], {}],
    ['with the deleted ones', [], { includeDeleted: true }],
    ['beyond a key', [], { after: { createdAt: 1_500, sortId: position(1_000) } }],
    ['of one value', [[{ field: 'status', op: 'eq', value: 's1' }]], {}],
    [
      'of one value beyond a key',
      [[{ field: 'status', op: 'eq', value: 's1' }]],
      { after: { createdAt: 1_500, sortId: position(1_000) } },
    ],
    ['of several values', [[{ field: 'status', op: 'in', value: ['s1', 's2'] }]], {}],
    ['without a value', [[{ field: 'customerId', op: 'eq', value: null }]], {}],
    ['of either value', [[{ field: 'status', op: 'eq', value: 's1' }], [{ field: 'customerId', op: 'eq', value: 'c7' }]], {}],
  ])('reads little more than it shows, and sorts nothing: %s', async (_, filter, query) => {
    const plan = await page(filter, query);
    expect(plan.stages).not.toContain('SORT');
    expect(plan.stages).not.toContain('COLLSCAN');
    expect(plan.nReturned).toBe(LIMIT);
    expect(plan.totalKeysExamined).toBeLessThanOrEqual(3 * LIMIT);
    expect(plan.totalDocsExamined).toBeLessThanOrEqual(3 * LIMIT);
  });

  it.each<[string, Filter]>([
    ['texts that begin so', [[{ field: 'phone', op: 'prefix', value: '+49007' }]]],
    [
      'very many values of two fields',
      [
        [
          { field: 'status', op: 'in', value: ['s1', ...Array.from({ length: 60 }, (_, index) => `x${index}`)] },
          { field: 'customerId', op: 'in', value: [null, ...Array.from({ length: 60 }, (_, index) => `c${index}`)] },
        ],
      ],
    ],
  ])('is found by an index: %s', async (_, filter) => {
    const plan = await page(filter);
    expect(plan.stages).toContain('IXSCAN');
    expect(plan.stages).not.toContain('COLLSCAN');
    expect(plan.totalDocsExamined).toBeLessThan(ROWS / 4);
  });

  it.each<[string, Condition]>([
    ['one value', { field: 'status', op: 'eq', value: 's1' }],
    ['several values', { field: 'status', op: 'in', value: ['s1', 's2', 's3'] }],
  ])('that goes along %s stops at a place of the index alone, and reads no row beyond', async (_, by) => {
    const reach = 300;
    const rest: Condition = { field: 'customerId', op: 'eq', value: 'nobody' };
    const created: Condition = { field: 'createdAt', op: 'lte', value: 1_900 };
    const after = { createdAt: 1_950, sortId: position(1_900) };
    const query: LookQuery = { projectId: 'p', by, filter: [rest, created], order: 'desc', after, limit: LIMIT, reach };
    const options = { sort: { createdAt: -1, sortId: -1 }, hint: `by ${by.field}` } as const;
    const place = { ...options, skip: reach - 1, limit: 1, projection: { _id: 0, createdAt: 1, sortId: 1 } };
    const looked = rows.find(lookedAtFilter(schema, query), place);
    const { executionStats: stop } = await looked.explain('executionStats');
    expect([stop.totalDocsExamined, stop.totalKeysExamined]).toEqual([0, expect.any(Number)]);
    expect(stop.totalKeysExamined).toBeLessThan(reach + 10);
    const [end] = await rows.find<SortKey>(lookedAtFilter(schema, query), place).toArray();
    const found = rows.find(foundFilter(schema, query, end), { ...options, limit: LIMIT });
    const { queryPlanner, executionStats: read } = await found.explain('executionStats');
    expect(stagesOf(queryPlanner.winningPlan as Document)).not.toContain('SORT');
    expect([read.nReturned, read.totalDocsExamined]).toEqual([0, reach]);
    expect(queryPlanner.rejectedPlans).toEqual([]);
  });

  it.each([
    ['from the first', undefined],
    ['beyond a key', { value: 100, id: 'n100' }],
  ])('of what is due reads what it shows, in order: %s', async (_, after) => {
    const plan = await explained(dueFilter(schema, 'dueAt', 1_000, after), { 'f.dueAt': 1, _id: 1 });
    expect(plan.stages).toContain('IXSCAN');
    expect(plan.stages).not.toContain('SORT');
    expect(plan.totalKeysExamined).toBeLessThanOrEqual(LIMIT + 2);
  });
});
