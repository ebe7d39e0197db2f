import { SystemClock } from '@adapters/clock.system';
import { position, row } from '@ports/contracts/note-rows';
import { StoreUnavailable } from '@ports/event-store.port';
import { mongodbRun } from '@testing/mongodb-run';
import { type Collection, type Document, MongoBulkWriteError, MongoClient, MongoServerError } from 'mongodb';
import { openMongoDb } from './open-mongodb.js';
import { asStoreFailure } from './store-failures.js';
import { isDuplicateKey } from './upserting.js';

type Kept = Document & { _id: string };

describe('what the adapters take for granted of MongoDB and its driver', () => {
  const { settings, drop } = mongodbRun(process.env['MONGODB_URL'], 'majority');
  let client: MongoClient;
  let things: Collection<Kept>;

  beforeAll(async () => {
    client = await MongoClient.connect(settings.mongodbUrl, { writeConcern: { w: 'majority', journal: true } });
    things = client.db().collection<Kept>(`${settings.prefix}things`);
  });
  beforeEach(() => things.deleteMany({}));
  afterAll(async () => {
    await client.close();
    await drop();
  });

  const guarded = (_id: string, at: number) => [
    { $replaceWith: { $cond: [{ $lt: [{ $ifNull: ['$at', -1] }, at] }, { $literal: { _id, at } }, '$$ROOT'] } },
  ];

  it('a pipeline with a guard inserts, replaces and leaves alone, without an error', async () => {
    const write = async (at: number) => {
      const { matchedCount, modifiedCount, upsertedCount } = await things.updateOne({ _id: 'a' }, guarded('a', at), {
        upsert: true,
      });
      return [upsertedCount, matchedCount, modifiedCount];
    };
    expect([await write(5), await write(7), await write(7), await write(6)]).toEqual([
      [1, 0, 0],
      [0, 1, 1],
      [0, 1, 0],
      [0, 1, 0],
    ]);
    expect(await things.findOne({ _id: 'a' })).toEqual({ _id: 'a', at: 7 });
  });

  it('an upsert with a guard in its filter fails where it has been applied, by a duplicate key', async () => {
    const write = () => things.updateOne({ _id: 'a', at: { $lt: 5 } }, { $set: { at: 5 } }, { upsert: true });
    await write();
    const failed: unknown = await write().catch((error: unknown) => error);
    expect(isDuplicateKey(failed)).toBe(true);
  });

  it('upserts of one key at a time make one document; one that comes second may fail by a duplicate key', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 40 }, (_, at) => things.updateOne({ _id: 'raced' }, guarded('raced', at), { upsert: true })),
    );
    for (const outcome of outcomes) if (outcome.status === 'rejected') expect(isDuplicateKey(outcome.reason)).toBe(true);
    expect(await things.countDocuments()).toBe(1);
  });

  it('a literal is no expression, whatever it looks like', async () => {
    const value = { $add: ['$at', '$$ROOT'] };
    await things.updateOne(
      { _id: 'a' },
      [{ $replaceWith: { $literal: { _id: 'a', text: '$at', value: JSON.stringify(value) } } }],
      {
        upsert: true,
      },
    );
    expect(await things.findOne({ _id: 'a' })).toEqual({ _id: 'a', text: '$at', value: JSON.stringify(value) });
  });

  it('a bulk without an order writes what it can, and its error is told as that of its first write', async () => {
    await things.insertOne({ _id: 'b' });
    const writes = ['a', 'b', 'c'].map((_id) => ({ insertOne: { document: { _id } } }));
    const failed: unknown = await things.bulkWrite(writes, { ordered: false }).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(MongoBulkWriteError);
    expect(isDuplicateKey(failed)).toBe(true);
    expect(await things.countDocuments()).toBe(3);
  });

  it('an index with other options under a name that is taken is refused by code 85 or 86', async () => {
    await things.createIndex({ one: 1 }, { name: 'taken' });
    for (const index of [
      { key: { two: 1 }, name: 'taken' },
      { key: { one: 1 }, name: 'taken', partialFilterExpression: { one: 1 } },
    ] as const) {
      const failed: unknown = await things.createIndexes([index]).catch((error: unknown) => error);
      expect(failed).toBeInstanceOf(MongoServerError);
      expect([85, 86]).toContain((failed as MongoServerError).code);
    }
    await things.createIndex({ one: 1 }, { name: 'taken' });
  });

  it('a read that takes too long is ended by the server', async () => {
    await things.insertMany(Array.from({ length: 2_000 }, (_, index) => ({ _id: `slow ${index}` })));
    const many = { $add: [100_000, { $strLenBytes: '$_id' }] };
    const slow = { $expr: { $gt: [{ $size: { $range: [0, many] } }, 0] } };
    const failed: unknown = await things
      .find(slow, { maxTimeMS: 50 })
      .toArray()
      .catch((error: unknown) => error);
    expect((failed as MongoServerError).code).toBe(50);
    expect(asStoreFailure(failed)).toBeInstanceOf(StoreUnavailable);
  });

  it('a filter compares values of one kind, an expression those of all kinds', async () => {
    await things.insertMany([
      { _id: 'number', at: 5 },
      { _id: 'text', at: 'x' },
      { _id: 'null', at: null },
    ]);
    const ids = async (filter: object) => (await things.find(filter, { sort: { _id: 1 } }).toArray()).map(({ _id }) => _id);
    expect(await ids({ at: { $lte: 10 } })).toEqual(['number']);
    expect(await ids({ $expr: { $lte: ['$at', 10] } })).toEqual(['null', 'number']);
  });

  it('numbers of the size of instants come back as they were', async () => {
    const at = Date.UTC(2026, 10, 27, 1, 2, 3, 4);
    await things.insertOne({ _id: 'a', at });
    expect(await things.findOne({ _id: 'a', at: { $gt: at - 1, $lt: at + 1 } })).toEqual({ _id: 'a', at });
  });

  it('rows that its own form of documents refuses are kept as text', async () => {
    const ports = await openMongoDb(settings, new SystemClock());
    let deep: unknown = 'end';
    for (let level = 0; level < 300; level++) deep = [deep];
    const members = { _bsontype: 'ObjectId', 'nul\u0000key': 1, $where: 'x', 'a.b': '\ud800', deep };
    const kept = row('odd', 1, members);
    await ports.readModels.define({ name: 'odd', version: 1, filterFields: [], dueFields: [] });
    await ports.readModels.apply('odd', [kept], position(1));
    expect(await ports.readModels.getMany('odd', ['odd'])).toEqual([kept]);
    await ports.close();
  });
});
