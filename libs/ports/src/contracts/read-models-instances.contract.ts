import type { FakeClock } from '@testing/fake-clock';
import { setTimeout as sleep } from 'node:timers/promises';
import { StoreUnavailable } from '../event-store.port.js';
import type { CollectionSchema, ReadModels } from '../read-models.port.js';
import { eventually } from './eventually.js';
import type { InstanceCases } from './instance-cases.js';
import { collection, collectionWithShared, idsOf, logUpTo, position, row, rowsOf } from './note-rows.js';

export interface TwoReadModels {
  readonly one: ReadModels;
  readonly other: ReadModels;
  readonly clock: FakeClock;
  readonly patienceMs: number;
}

/** Defines a collection that both instances read, and applies rows n1 to n3 in `one`. */
async function defined({ one, other }: TwoReadModels): Promise<CollectionSchema> {
  const schema = collection();
  await one.define(schema);
  expect(await other.expect(schema)).toBe('same');
  await one.apply(schema.name, rowsOf(1, 3), position(3));
  return schema;
}

async function reached(pair: TwoReadModels, schema: CollectionSchema, at: number): Promise<boolean> {
  const [told = false] = await allReached(pair, schema, [at]);
  return told;
}

/** Whether `other` reaches the positions within `patienceMs` of real time; only then does the fake clock pass the time-out of all. */
async function allReached(
  { other, clock, patienceMs }: TwoReadModels,
  { name }: CollectionSchema,
  positions: readonly number[],
): Promise<readonly boolean[]> {
  const told = Promise.all(positions.map((at) => other.reached(name, position(at), 60_000)));
  await Promise.race([told, sleep(patienceMs, null, { ref: false })]);
  await clock.advance(60_000);
  return told;
}

async function listed(readModels: ReadModels, { name }: CollectionSchema): Promise<string[]> {
  const query = { projectId: 'p', filter: [], order: 'asc', limit: 100 } as const;
  const page = idsOf(await readModels.page(name, query));
  expect((await readModels.list(name, query)).map(({ sortId }) => sortId)).toHaveLength(page.length);
  return page;
}

export const readModelsInstanceCases: InstanceCases<TwoReadModels> = {
  'has the rows that another applied, once it was told that they are there': async (pair) => {
    const { one, other } = pair;
    const schema = await defined(pair);
    expect(await reached(pair, schema, 3)).toBe(true);
    expect(await listed(other, schema)).toEqual(['n1', 'n2', 'n3']);
    await one.apply(schema.name, [{ ...row('n2', 2, { status: 'ended' }), position: position(4) }, row('n5', 5)], position(5));
    expect(await reached(pair, schema, 5)).toBe(true);
    expect(await listed(other, schema)).toEqual(['n1', 'n2', 'n3', 'n5']);
    expect(await other.getMany(schema.name, ['n2'])).toMatchObject([{ row: { status: 'ended' } }]);
    const filter = [[{ field: 'status', op: 'eq', value: 'ended' }]] as const;
    expect(idsOf(await other.page(schema.name, { projectId: 'p', filter, order: 'asc', limit: 9 }))).toEqual(['n2']);
    expect((await other.checkpoint(schema.name)) >= position(5)).toBe(true);
  },

  'is told when what it waits for is applied by another': async (pair) => {
    const { one, other } = pair;
    const schema = await defined(pair);
    const told = allReached(pair, schema, [4, 5]);
    await one.apply(schema.name, [row('n4', 4)], position(4));
    await one.apply(schema.name, [], position(5));
    expect(await told).toEqual([true, true]);
    expect(idsOf(await other.getMany(schema.name, ['n4']))).toEqual(['n4']);
  },

  'tells what is stored of a collection that only another knows': async (pair) => {
    const { one, other, patienceMs } = pair;
    const schema = { ...collection(), version: 7 };
    await one.define(schema, { log: logUpTo(4) });
    await one.apply(schema.name, rowsOf(1, 3), position(3));
    const stored = async () => (await other.stored()).find(({ name }) => name === schema.name);
    const told = { name: schema.name, version: 7, rows: 3 };
    await eventually(
      async () => expect(await stored()).toEqual({ ...told, checkpoint: position(3), isRestored: false }),
      patienceMs,
    );
    await one.apply(schema.name, [{ ...row('n2', 2), position: position(4), deleted: true }], position(4));
    await eventually(
      async () => expect(await stored()).toEqual({ ...told, checkpoint: position(4), isRestored: true }),
      patienceMs,
    );
  },

  'leaves a row alone that another has brought further': async (pair) => {
    const { one, other } = pair;
    const schema = await defined(pair);
    const at = (number: number, title: string) => ({ ...row('n2', 2, { title }), position: position(number) });
    expect((await other.getMany(schema.name, ['n2']))[0]?.position).toBe(position(2));
    await one.apply(schema.name, [at(6, 'newer')], position(6));
    await other.apply(schema.name, [at(5, 'older')], position(5));
    expect(await one.getMany(schema.name, ['n2'])).toMatchObject([{ position: position(6), row: { title: 'newer' } }]);
    expect(await other.getMany(schema.name, ['n2'])).toEqual(await one.getMany(schema.name, ['n2']));
    expect(await one.checkpoint(schema.name)).toBe(position(6));
  },

  'reads the rebuilt rows once another has switched to them, and never rows of both': async (pair) => {
    const { one, other, patienceMs } = pair;
    const schema = await defined(pair);
    expect(await listed(other, schema)).toEqual(['n1', 'n2', 'n3']);
    const rebuild = await one.rebuild(schema.name);
    await rebuild.apply(rowsOf(11, 14), position(14));
    expect(await listed(other, schema)).toEqual(['n1', 'n2', 'n3']);
    await rebuild.switchOver();
    const [old, rebuilt] = [
      ['n1', 'n2', 'n3'],
      ['n11', 'n12', 'n13', 'n14'],
    ];
    await eventually(async () => {
      const found = await listed(other, schema);
      if (found.length !== rebuilt?.length) expect(found).toEqual(old);
      expect(found).toEqual(rebuilt);
    }, patienceMs);
    expect(await reached(pair, schema, 14)).toBe(true);
    await other.apply(schema.name, [row('n15', 15)], position(15));
    expect(await listed(one, schema)).toEqual(['n11', 'n12', 'n13', 'n14', 'n15']);
  },

  "knows of another's rebuild from when it was begun until it has ended": async (pair) => {
    const { one, other, patienceMs } = pair;
    const schema = await defined(pair);
    expect(await other.isRebuilding(schema.name)).toBe(false);
    for (const end of ['switchOver', 'abandon'] as const) {
      const rebuild = await one.rebuild(schema.name);
      expect(await other.isRebuilding(schema.name)).toBe(true);
      await rebuild[end]();
      await eventually(async () => expect(await other.isRebuilding(schema.name)).toBe(false), patienceMs);
    }
  },

  "ends another's rebuild by beginning one of its own": async (pair) => {
    const { one, other } = pair;
    const schema = await defined(pair);
    const older = await one.rebuild(schema.name);
    const newer = await other.rebuild(schema.name);
    await expect(older.apply([row('older', 2)], position(2))).rejects.toThrow();
    await older.abandon();
    expect(await one.isRebuilding(schema.name)).toBe(true);
    await newer.apply([row('newer', 1)], position(1));
    await newer.switchOver();
    expect(await listed(other, schema)).toEqual(['newer']);
  },

  'reads what it expects as soon as another has defined that': async (pair) => {
    const { one, other, patienceMs } = pair;
    const schema = await defined(pair);
    const raised = { ...schema, version: schema.version + 1 };
    expect(await other.expect(raised)).toBe('other');
    await expect(listed(other, schema)).rejects.toThrow(StoreUnavailable);
    await one.define(raised, { log: logUpTo(3) });
    await one.apply(schema.name, [row('again', 1)], position(1));
    await eventually(async () => expect(await listed(other, schema)).toEqual(['again']), patienceMs);
    expect(await other.isRestored(schema.name)).toBe(false);
    await one.apply(schema.name, [], position(3));
    await eventually(async () => expect(await other.isRestored(schema.name)).toBe(true), patienceMs);
  },

  'reads the shared collection as another has written and rebuilt it': async (pair) => {
    const { one, other, patienceMs } = pair;
    const schema = collectionWithShared();
    const { name } = schema.shared;
    await one.define(schema);
    expect(await other.expect(schema)).toBe('same');
    await one.apply(schema.name, [row('n1', 1)], position(2), [row('of1', 2)]);
    expect(await reached(pair, schema, 2)).toBe(true);
    expect(await listed(other, { ...schema, ...schema.shared })).toEqual(['of1']);
    const rebuild = await other.rebuild(schema.name);
    await rebuild.apply([row('n1', 1)], position(3), [row('of2', 2), row('of3', 3)]);
    expect(idsOf(await one.getMany(name, ['of1', 'of2']))).toEqual(['of1', 'none']);
    await rebuild.switchOver();
    await eventually(async () => expect(idsOf(await one.getMany(name, ['of1', 'of2']))).toEqual(['none', 'of2']), patienceMs);
    await one.apply(schema.name, [], position(4), [row('of4', 4)]);
    expect(await listed(other, { ...schema, ...schema.shared })).toEqual(['of2', 'of3', 'of4']);
  },
};
