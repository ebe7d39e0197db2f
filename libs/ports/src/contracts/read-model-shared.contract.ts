import { START, StoreUnavailable } from '../event-store.port.js';
import { type FieldValue, type ReadModels, RowsRefused } from '../read-models.port.js';
import { collectionWithShared, idsOf, logUpTo, position, row, rowsOf } from './note-rows.js';

export function sharedContract(readModelsOf: () => ReadModels): void {
  describe('a shared collection', () => {
    let readModels: ReadModels;
    let schema: ReturnType<typeof collectionWithShared>;
    let shared: string;

    beforeEach(async () => {
      readModels = readModelsOf();
      schema = collectionWithShared();
      shared = schema.shared.name;
      await readModels.define(schema);
      const happy = row('of1', 1, { mood: 'happy', wakeAt: 5 });
      await readModels.apply(schema.name, rowsOf(1, 3), position(3), [happy, row('of2', 2, { mood: 'sad', wakeAt: 4 })]);
    });

    const query = { projectId: 'p', filter: [], order: 'asc', limit: 100 } as const;
    const idsIn = async (name: string) => idsOf(await readModels.page(name, query));
    const both = async () => [await idsIn(schema.name), await idsIn(shared)];

    it('has rows of its own: neither collection shows those of the other', async () => {
      expect(await both()).toEqual([
        ['n1', 'n2', 'n3'],
        ['of1', 'of2'],
      ]);
      expect(await readModels.list(shared, query)).toHaveLength(2);
      expect(await readModels.getMany(shared, ['n1', 'of1'])).toMatchObject([null, { row: { mood: 'happy' } }]);
      expect(await readModels.getMany(schema.name, ['n1', 'of1'])).toMatchObject([{ id: 'n1' }, null]);
      expect(await readModels.due(schema.name, 'dueAt', 10, 10)).toEqual([]);
    });

    it('may have rows whose ids are also those of rows of the other', async () => {
      await readModels.apply(schema.name, [row('same', 4)], position(5), [row('same', 5, { mood: 'odd' })]);
      const found = [await readModels.getMany(schema.name, ['same']), await readModels.getMany(shared, ['same'])];
      expect(found).toMatchObject([[{ position: position(4) }], [{ position: position(5), row: { mood: 'odd' } }]]);
    });

    it('is filtered and swept by fields of its own', async () => {
      const by = (name: string, field: string, value: FieldValue) =>
        readModels.page(name, { ...query, filter: [[{ field, op: 'eq', value }]] });
      expect(idsOf(await by(shared, 'mood', 'sad'))).toEqual(['of2']);
      expect(idsOf(await readModels.due(shared, 'wakeAt', 5, 10))).toEqual(['of2', 'of1']);
      await expect(by(schema.name, 'mood', 'sad')).rejects.toThrow(TypeError);
      await expect(by(shared, 'status', 'active')).rejects.toThrow(TypeError);
    });

    it('has the checkpoint of the other, which moves with the rows of either', async () => {
      await readModels.apply(schema.name, [], position(4), [row('of4', 4)]);
      expect(await readModels.checkpoint(schema.name)).toBe(position(4));
      await readModels.apply(schema.name, [row('n5', 5)], position(5));
      expect(await readModels.checkpoint(schema.name)).toBe(position(5));
      await expect(readModels.checkpoint(shared)).rejects.toThrow(StoreUnavailable);
      await expect(readModels.apply(shared, [], position(6))).rejects.toThrow(StoreUnavailable);
    });

    it('guards its rows by position', async () => {
      const at = (number: number, mood: string) => [{ ...row('of1', 1, { mood }), position: position(number) }];
      await readModels.apply(schema.name, [], position(9), at(9, 'newer'));
      await readModels.apply(schema.name, [], position(9), at(8, 'older'));
      expect(await readModels.getMany(shared, ['of1'])).toMatchObject([{ position: position(9), row: { mood: 'newer' } }]);
    });

    it('refuses a row that it can never store, and then nothing of the other is written', async () => {
      const endless: Record<string, unknown> = {};
      endless['self'] = endless;
      const refused = readModels.apply(schema.name, [row('n4', 4)], position(4), [row('endless', 4, endless)]);
      await expect(refused).rejects.toBeInstanceOf(RowsRefused);
      expect(await readModels.getMany(schema.name, ['n4'])).toEqual([null]);
      expect(await readModels.checkpoint(schema.name)).toBe(position(3));
    });

    it('stays when it is defined again', async () => {
      await readModels.define(schema, { log: logUpTo(9) });
      expect(await idsIn(shared)).toEqual(['of1', 'of2']);
    });

    it('begins without rows together with the other, be it for a new version, for other fields or for another log', async () => {
      const changed = { ...schema, shared: { ...schema.shared, filterFields: [] } };
      for (const [next, log] of [
        [{ ...schema, version: 2 }, logUpTo(9)],
        [{ ...changed, version: 2 }, logUpTo(9)],
        [{ ...changed, version: 2 }, logUpTo(2)],
      ] as const) {
        await readModels.define(next, { log });
        expect(await both()).toEqual([[], []]);
        expect(await readModels.checkpoint(schema.name)).toBe(START);
        await readModels.apply(schema.name, rowsOf(1, 3), position(3), [row('of1', 1)]);
      }
    });

    it('can be added to a collection that had none, and taken away', async () => {
      const { shared: _, ...alone } = schema;
      expect(await readModels.expect(alone)).toBe('other');
      await readModels.define({ ...alone, version: 2 });
      await expect(idsIn(shared)).rejects.toThrow(StoreUnavailable);
      await readModels.apply(schema.name, rowsOf(1, 2), position(2));
      expect(await readModels.expect({ ...schema, version: 3 })).toBe('other');
      await readModels.define({ ...schema, version: 3 });
      expect(await both()).toEqual([[], []]);
    });

    it('is rebuilt beside the live rows and switched together with the other', async () => {
      const rebuild = await readModels.rebuild(schema.name);
      expect(await rebuild.getShared(['of1'])).toEqual([null]);
      await rebuild.apply([row('r1', 1)], position(2), [row('of-r', 2, { mood: 'new', wakeAt: 1 })]);
      expect(idsOf(await rebuild.getShared(['of-r', 'r1']))).toEqual(['of-r', 'none']);
      expect(idsOf(await rebuild.getMany(['of-r', 'r1']))).toEqual(['none', 'r1']);
      await rebuild.prepare();
      expect(await idsIn(shared)).toEqual(['of1', 'of2']);
      await rebuild.switchOver();
      expect(await both()).toEqual([['r1'], ['of-r']]);
      expect(await readModels.checkpoint(schema.name)).toBe(position(2));
      expect(idsOf(await readModels.due(shared, 'wakeAt', 10, 10))).toEqual(['of-r']);
      await readModels.apply(schema.name, [row('n3', 3)], position(3), [row('of3', 3)]);
      expect(await both()).toEqual([
        ['r1', 'n3'],
        ['of-r', 'of3'],
      ]);
    });

    it('stays as it is when its rebuild is abandoned', async () => {
      const rebuild = await readModels.rebuild(schema.name);
      await rebuild.apply([], position(2), [row('of-r', 2)]);
      await rebuild.abandon();
      expect(await idsIn(shared)).toEqual(['of1', 'of2']);
      const again = await readModels.rebuild(schema.name);
      expect(await again.getShared(['of-r'])).toEqual([null]);
      await again.abandon();
    });
  });
}
