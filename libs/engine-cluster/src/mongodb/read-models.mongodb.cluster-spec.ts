import { eventually } from '@ports/contracts/eventually';
import { idsOf, logUpTo, position, row, rowsOf } from '@ports/contracts/note-rows';
import { START, StoreUnavailable } from '@ports/event-store.port';
import { type CollectionSchema, type ReadModels, RowsRefused } from '@ports/read-models.port';
import { FakeClock } from '@testing/fake-clock';
import { mongodbRun } from '@testing/mongodb-run';
import { type Document, MongoClient } from 'mongodb';
import { type MongoDbPorts, openMongoDb } from './open-mongodb.js';

const MINUTE = 60_000;
const WITHIN_MS = 30_000;
const schema: CollectionSchema = { name: 'notes', version: 1, filterFields: ['status', 'phone'], dueFields: ['dueAt'] };

describe('read models on MongoDB', () => {
  const url = process.env['MONGODB_URL'];
  let run: ReturnType<typeof mongodbRun>;
  let clock: FakeClock;
  let raw: MongoClient;
  let opened: MongoDbPorts[];
  let one: ReadModels;

  const another = async () => {
    const ports = await openMongoDb(run.settings, clock);
    opened.push(ports);
    return ports.readModels;
  };
  const stored = (name: string) => raw.db().collection<Document & { _id: string }>(`${run.settings.prefix}${name}`);
  const entry = () => stored('read-models').findOne({ _id: 'notes@1' });
  const generations = async () => {
    const found = await raw.db().listCollections({}, { nameOnly: true }).toArray();
    const beginning = `${run.settings.prefix}notes@1_`;
    return found.flatMap(({ name }) => (name.startsWith(beginning) ? [name.slice(beginning.length)] : []));
  };
  const live = async () => stored(`notes@1_${(await entry())?.['generation']}`);
  const query = { projectId: 'p', filter: [], order: 'asc', limit: 100 } as const;

  beforeEach(async () => {
    run = mongodbRun(url);
    clock = new FakeClock(Date.now());
    opened = [];
    raw = await MongoClient.connect(String(url));
    one = await another();
    await one.define(schema);
    await one.apply('notes', rowsOf(1, 3), position(3));
  });
  afterEach(async () => {
    for (const ports of opened) await ports.close();
    await raw.close();
    await run.drop();
  });

  /** As a crash or rollback that takes the newest writes. */
  const lose = async (ids: readonly string[], checkpoint: object) => {
    for (const name of await generations()) await stored(`notes@1_${name}`).deleteMany({ _id: { $in: [...ids] } });
    await stored('read-models').updateOne({ _id: 'notes@1' }, { $set: checkpoint });
  };

  it('refuse to go on from a checkpoint that the server has lost, until they are defined again', async () => {
    await lose(['n3'], { checkpoint: position(2) });
    await expect(one.apply('notes', [row('n4', 4)], position(4))).rejects.toThrow('lost');
    expect(await one.checkpoint('notes')).toBe(position(2));
    await expect(one.apply('notes', [], position(5))).rejects.toThrow('lost');
    await one.define(schema);
    await one.apply('notes', rowsOf(3, 4), position(4));
    expect(idsOf(await one.page('notes', query))).toEqual(['n1', 'n2', 'n3', 'n4']);
  });

  it('refuse to go on with a rebuild of which the server has lost rows', async () => {
    const rebuild = await one.rebuild('notes');
    await rebuild.apply(rowsOf(1, 3), position(3));
    await lose(['n3'], { 'rebuild.checkpoint': position(2) });
    await expect(rebuild.apply([row('n4', 4)], position(4))).rejects.toThrow();
    await expect(rebuild.switchOver()).rejects.toThrow();
  });

  it('are defined once, however many define them at a time', async () => {
    const all = await Promise.all(Array.from({ length: 6 }, another));
    await Promise.all(all.map((readModels) => readModels.define({ ...schema, filterFields: [] })));
    await all[0]?.apply('notes', [row('n9', 9)], position(9));
    for (const readModels of all) expect(idsOf(await readModels.page('notes', query))).toEqual(['n9']);
    expect(await generations()).toHaveLength(2);
  });

  it('forget a rebuild whose process has died, which can no longer take their place', async () => {
    const other = await another();
    await other.define(schema);
    const rebuild = await one.rebuild('notes');
    await rebuild.apply([row('late', 9)], position(9));
    clock.set(clock.now() + 14_000);
    expect(await other.isRebuilding('notes')).toBe(true);
    clock.set(clock.now() + 2_000);
    expect(await other.isRebuilding('notes')).toBe(false);
    await expect(rebuild.switchOver()).rejects.toThrow();
    await expect(rebuild.apply([row('late', 10)], position(10))).rejects.toThrow();
    expect(idsOf(await other.page('notes', query))).toEqual(['n1', 'n2', 'n3']);
  });

  it('know of a rebuild for as long as its process lives, be it idle', async () => {
    const rebuild = await one.rebuild('notes');
    for (let second = 0; second < 40; second++) {
      await clock.advance(1_000);
      expect(await one.isRebuilding('notes')).toBe(true);
    }
    await rebuild.switchOver();
  });

  it('keep replaced rows for a minute, and drop them and what dead processes left then', async () => {
    const dead = await one.rebuild('notes');
    await dead.apply([row('dead', 1)], position(1));
    const rebuild = await one.rebuild('notes');
    await rebuild.apply(rowsOf(1, 4), position(4));
    await rebuild.switchOver();
    expect(await generations()).toHaveLength(3);
    await clock.advance(MINUTE / 2);
    expect(await generations()).toHaveLength(3);
    // In steps: a call is given up once its deadline passes on the clock.
    await eventually(async () => {
      await clock.advance(MINUTE / 12);
      expect(await generations()).toEqual([(await entry())?.['generation']]);
      expect((await entry())?.['retired']).toEqual([]);
    }, WITHIN_MS);
    expect(idsOf(await one.page('notes', query))).toEqual(['n1', 'n2', 'n3', 'n4']);
  });

  it('begin again where the database was wiped', async () => {
    await run.drop();
    await expect(one.apply('notes', [row('n4', 4)], position(4))).rejects.toThrow();
    await expect(one.page('notes', query)).rejects.toThrow(StoreUnavailable);
    await one.define(schema);
    await one.apply('notes', rowsOf(1, 4), position(4));
    expect(idsOf(await one.page('notes', query))).toEqual(['n1', 'n2', 'n3', 'n4']);
  });

  it('of another log begin anew, and those of the same log stay', async () => {
    await one.define(schema, { log: logUpTo(3, 'one log') });
    await one.define(schema, { log: logUpTo(9, 'one log') });
    expect(await one.checkpoint('notes')).toBe(position(3));
    await one.define(schema, { log: logUpTo(9, 'another log') });
    expect(await one.getMany('notes', ['n1'])).toEqual([null]);
    expect([await one.checkpoint('notes'), await one.isRestored('notes')]).toEqual([START, false]);
  });

  it.each([
    ['was dropped', async () => void (await (await live()).drop())],
    [
      'was dropped and written to again',
      async () => {
        await (await live()).drop();
        await one.apply('notes', [row('n4', 4)], position(4));
      },
    ],
    ['was emptied', async () => void (await (await live()).deleteMany({}))],
  ])('whose collection %s are not whole to any process, and begin anew where they are defined', async (_, lose) => {
    const reader = await another();
    await reader.expect(schema);
    expect(await reader.isRestored('notes')).toBe(true);
    await lose();
    for (const each of [one, reader]) {
      expect([await each.isRestored('notes'), await each.checkpoint('notes')]).toEqual([false, START]);
    }
    await one.define(schema, { log: logUpTo(4) });
    await one.apply('notes', rowsOf(1, 3), position(3));
    expect(await reader.isRestored('notes')).toBe(false);
    await one.apply('notes', rowsOf(4, 4), position(4));
    expect(await reader.isRestored('notes')).toBe(true);
    expect(idsOf(await reader.page('notes', query))).toEqual(['n1', 'n2', 'n3', 'n4']);
  });

  it('that lost their indexes get them again, and none of them is lost', async () => {
    const rows = await live();
    const before = await rows.indexes();
    await rows.dropIndexes();
    expect(await one.isRestored('notes')).toBe(true);
    expect(await one.checkpoint('notes')).toBe(START);
    await one.define(schema, { log: logUpTo(3) });
    expect(await rows.indexes()).toHaveLength(before.length);
    expect(await one.checkpoint('notes')).toBe(position(3));
  });

  it('of a program that kept one version only stay beside, until ten minutes after they were first seen', async () => {
    const former = { ...(await entry()), _id: 'notes' } as Document & { _id: string };
    delete former['usedAt'];
    const kept = stored(`notes_${former['generation']}`);
    await kept.insertOne({ _id: 'n1' });
    await stored('read-models').insertOne(former);
    expect(idsOf(await one.page('notes', query))).toEqual(['n1', 'n2', 'n3']);
    expect(await one.dropUnused(clock.now() + 1)).toEqual([]);
    expect(await one.dropUnused(clock.now() + 1)).toEqual([{ name: 'notes', version: 1 }]);
    expect([await stored('read-models').countDocuments(), await kept.countDocuments()]).toEqual([1, 0]);
    expect(idsOf(await one.page('notes', query))).toEqual(['n1', 'n2', 'n3']);
  });

  it('have an empty text in a list where what is stored of one is damaged, and the others are listed', async () => {
    await (await live()).updateOne({ _id: 'n2' }, { $set: { row: '{"id":' } });
    const [first, damaged, third] = await one.list('notes', query);
    expect([first?.text, damaged?.text, third?.text]).toEqual([null, '', null]);
  });

  it('build an index anew that is another under the same name', async () => {
    const rows = await live();
    const before = await rows.indexes();
    await rows.dropIndex('by status');
    await rows.dropIndex('due dueAt');
    await rows.createIndex({ projectId: 1 }, { name: 'by status' });
    await rows.createIndex({ 'f.dueAt': 1, _id: 1 }, { name: 'due dueAt' });
    await (await another()).define(schema);
    const byName = (indexes: readonly Document[]) => [...indexes].sort((left, right) => (left['name'] < right['name'] ? -1 : 1));
    expect(byName(await rows.indexes())).toEqual(byName(before));
  });

  it('refuse a row that is larger than the server takes, before any is written', async () => {
    const large = row('large', 4, { title: 'x'.repeat(15 * 1024 * 1024) });
    await expect(one.apply('notes', [row('small', 4), large], position(4))).rejects.toThrow(RowsRefused);
    expect(await one.getMany('notes', ['small', 'large'])).toEqual([null, null]);
    expect(await one.checkpoint('notes')).toBe(position(3));
    await one.apply('notes', [row('fits', 4, { title: 'x'.repeat(14 * 1024 * 1024) })], position(4));
    expect(idsOf(await one.getMany('notes', ['fits']))).toEqual(['fits']);
  });

  it('have no rows of a collection or a field whose name the server cannot take', async () => {
    await expect(one.define({ ...schema, name: 'no.tes' })).rejects.toThrow(TypeError);
    await expect(one.define({ ...schema, name: 'other', filterFields: ['$where'] })).rejects.toThrow(TypeError);
  });
});
