import { START } from '../event-store.port.js';
import type { CollectionSchema, ReadModels } from '../read-models.port.js';
import { collection, idsOf, position, row, rowsOf } from './note-rows.js';

export function rebuildContract(readModelsOf: () => ReadModels): void {
  describe('a rebuild', () => {
    let readModels: ReadModels;
    let schema: CollectionSchema;

    beforeEach(async () => {
      readModels = readModelsOf();
      schema = collection();
      await readModels.define(schema);
      await readModels.apply(schema.name, rowsOf(1, 3), position(3));
    });

    const live = async () => {
      const query = { projectId: 'p', filter: [], order: 'asc', limit: 100 } as const;
      return idsOf(await readModels.page(schema.name, query));
    };

    it('is invisible before the switch', async () => {
      const rebuild = await readModels.rebuild(schema.name);
      await rebuild.apply([row('fresh', 1)], position(9));
      expect(await live()).toEqual(['n1', 'n2', 'n3']);
      expect(await readModels.getMany(schema.name, ['fresh'])).toEqual([null]);
      expect(await readModels.checkpoint(schema.name)).toBe(position(3));
      await rebuild.abandon();
    });

    it('begins empty and reads its own rows', async () => {
      const rebuild = await readModels.rebuild(schema.name);
      expect(await rebuild.getMany(['n1'])).toEqual([null]);
      await rebuild.apply([row('fresh', 1, { title: 'new' })], position(1));
      expect((await rebuild.getMany(['fresh']))[0]).toMatchObject({ id: 'fresh', row: { title: 'new' } });
      await rebuild.abandon();
    });

    it('takes the place of the live rows and their checkpoint', async () => {
      const rebuild = await readModels.rebuild(schema.name);
      await rebuild.apply([row('r1', 1), row('r2', 2, { status: 'ended', dueAt: 7 })], position(2));
      await rebuild.switchOver();
      expect(await live()).toEqual(['r1', 'r2']);
      expect(await readModels.getMany(schema.name, ['n1', 'r1'])).toMatchObject([null, { id: 'r1' }]);
      expect(await readModels.checkpoint(schema.name)).toBe(position(2));
      expect(idsOf(await readModels.due(schema.name, 'dueAt', 10, 10))).toEqual(['r2']);
      const filter = [[{ field: 'status', op: 'eq', value: 'ended' }]] as const;
      const ended = await readModels.page(schema.name, { projectId: 'p', filter, order: 'desc', limit: 5 });
      expect(idsOf(ended)).toEqual(['r2']);
    });

    it('lets life go on before and after the switch', async () => {
      const rebuild = await readModels.rebuild(schema.name);
      await readModels.apply(schema.name, [row('n4', 4)], position(4));
      await rebuild.apply(rowsOf(1, 4), position(4));
      expect(await live()).toEqual(['n1', 'n2', 'n3', 'n4']);
      await rebuild.switchOver();
      await readModels.apply(schema.name, [row('n5', 5)], position(5));
      expect(await live()).toEqual(['n1', 'n2', 'n3', 'n4', 'n5']);
      expect(await readModels.checkpoint(schema.name)).toBe(position(5));
      await readModels.define(schema);
      expect(await live()).toEqual(['n1', 'n2', 'n3', 'n4', 'n5']);
    });

    it('refuses what was on its way to the rows that it has replaced: its own may lack what came before', async () => {
      const rebuild = await readModels.rebuild(schema.name);
      await rebuild.apply(rowsOf(1, 2), position(2));
      await rebuild.prepare();
      const switched = rebuild.switchOver();
      for (let step = 0; step < 5; step++) await Promise.resolve();
      await expect(readModels.apply(schema.name, [row('n4', 4)], position(4))).rejects.toThrow();
      await switched;
      expect(await live()).toEqual(['n1', 'n2']);
      expect(await readModels.checkpoint(schema.name)).toBe(position(2));
    });

    it('takes rows also once its switch is prepared', async () => {
      const rebuild = await readModels.rebuild(schema.name);
      await rebuild.apply(rowsOf(1, 2), position(2));
      await Promise.all([rebuild.prepare(), rebuild.prepare()]);
      await rebuild.apply(rowsOf(3, 4), position(4));
      expect(await live()).toEqual(['n1', 'n2', 'n3']);
      await rebuild.switchOver();
      expect(await live()).toEqual(['n1', 'n2', 'n3', 'n4']);
    });

    it('guards its rows by position as the live ones are', async () => {
      const rebuild = await readModels.rebuild(schema.name);
      await rebuild.apply([{ ...row('r', 1, { title: 'newer' }), position: position(5) }], position(5));
      await rebuild.apply([row('r', 1, { title: 'older' })], position(2));
      await rebuild.switchOver();
      expect((await readModels.getMany(schema.name, ['r']))[0]?.row).toMatchObject({ title: 'newer' });
      expect(await readModels.checkpoint(schema.name)).toBe(position(5));
    });

    it('can be abandoned, and begun again from empty', async () => {
      const first = await readModels.rebuild(schema.name);
      await first.apply([row('first', 1)], position(1));
      await first.abandon();
      expect(await live()).toEqual(['n1', 'n2', 'n3']);
      const second = await readModels.rebuild(schema.name);
      expect(await second.getMany(['first'])).toEqual([null]);
      await second.switchOver();
      expect(await live()).toEqual([]);
      expect(await readModels.checkpoint(schema.name)).toBe(START);
    });

    it('drops an unfinished older one, which can no longer do anything', async () => {
      const older = await readModels.rebuild(schema.name);
      await older.apply([row('older', 1)], position(1));
      const newer = await readModels.rebuild(schema.name);
      await expect(older.apply([row('older', 2)], position(2))).rejects.toThrow();
      await expect(older.switchOver()).rejects.toThrow();
      await older.abandon();
      await newer.apply([row('newer', 1)], position(1));
      await newer.switchOver();
      expect(await live()).toEqual(['newer']);
    });

    it('leaves the live rows alone once it has taken their place', async () => {
      const rebuild = await readModels.rebuild(schema.name);
      await rebuild.apply([row('r', 1)], position(1));
      await rebuild.switchOver();
      await expect(rebuild.switchOver()).rejects.toThrow();
      await rebuild.abandon();
      expect(await live()).toEqual(['r']);
    });

    it('is told of from its beginning until it has taken the place of the live rows', async () => {
      expect(await readModels.isRebuilding(schema.name)).toBe(false);
      const begun = readModels.rebuild(schema.name);
      expect(await readModels.isRebuilding(schema.name)).toBe(true);
      const rebuild = await begun;
      await rebuild.apply([row('r', 1)], position(1));
      await rebuild.prepare();
      expect(await readModels.isRebuilding(schema.name)).toBe(true);
      await rebuild.switchOver();
      expect(await readModels.isRebuilding(schema.name)).toBe(false);
    });

    it('is told of until it is abandoned, and a newer one beyond the end of the older', async () => {
      const older = await readModels.rebuild(schema.name);
      const newer = await readModels.rebuild(schema.name);
      await older.abandon();
      expect(await readModels.isRebuilding(schema.name)).toBe(true);
      await newer.abandon();
      expect(await readModels.isRebuilding(schema.name)).toBe(false);
    });

    it('is of no use any more when its collection was defined anew', async () => {
      const rebuild = await readModels.rebuild(schema.name);
      await rebuild.apply([row('r', 1)], position(1));
      await readModels.define({ ...schema, filterFields: [] });
      await expect(rebuild.apply([row('r', 2)], position(2))).rejects.toThrow();
      await expect(rebuild.switchOver()).rejects.toThrow();
      expect(await readModels.isRebuilding(schema.name)).toBe(false);
      expect(await live()).toEqual([]);
    });
  });
}
