import type { ListQuery, ListedRow, ReadModels, StoredRow } from '../read-models.port.js';
import { collection, idsOf, position, row } from './note-rows.js';

const textOf = (id: string) => `{"id":"${id}","2":1,"1":12345678901234567890,"note":"ä \\" \ud83d\ude00"}`;
const shown = (stored: StoredRow): StoredRow => ({ ...stored, text: textOf(stored.id) });
const withoutText = ({ text: _, ...stored }: StoredRow): StoredRow => stored;

export function listContract(readModelsOf: () => ReadModels): void {
  describe('a list', () => {
    const schema = collection();
    let readModels: ReadModels;
    const rows = [
      shown(row('r1', 1, { status: 'active', startsAt: 10 })),
      shown(row('r2', 2, { status: 'ended', startsAt: 20 })),
      row('r3', 3, { status: 'active', startsAt: 30 }),
      shown(row('r4', 4, { status: 'active', startsAt: null })),
      { ...shown(row('r5', 5)), deleted: true },
    ];

    beforeAll(async () => {
      readModels = readModelsOf();
      await readModels.define(schema);
      await readModels.apply(schema.name, rows, position(5));
    });

    const list = (query: Partial<ListQuery> = {}) =>
      readModels.list(schema.name, { projectId: 'p', filter: [], order: 'asc', limit: 100, ...query });
    const told = (listed: readonly ListedRow[]) => listed.map((each) => each.text ?? each.stored.id);
    const keysOf = (found: readonly { createdAt: number; sortId: string }[]) =>
      found.map(({ createdAt, sortId }) => ({ createdAt, sortId }));

    it('is of texts, each as it was written, and of rows where there is none', async () => {
      expect(told(await list())).toEqual([textOf('r1'), textOf('r2'), 'r3', textOf('r4')]);
      const [third] = await list({ filter: [[{ field: 'startsAt', op: 'eq', value: 30 }]] });
      expect(third).toMatchObject({ text: null, stored: rows[2] });
    });

    it('has the items of a page in its order, at the same keys', async () => {
      const filters = [
        [],
        [[{ field: 'status', op: 'in', value: ['ended', 'active'] }]],
        [[{ field: 'startsAt', op: 'lte', value: 20 }], [{ field: 'status', op: 'eq', value: 'ended' }]],
      ] as const;
      for (const filter of filters) {
        for (const order of ['asc', 'desc'] as const) {
          const query = { projectId: 'p', filter, order, limit: 3 } as const;
          const page = await readModels.page(schema.name, query);
          expect(keysOf(await list(query))).toEqual(keysOf(page));
          const [, second] = page;
          const after = second && { createdAt: second.createdAt, sortId: second.sortId };
          const beyond = { ...query, ...(after && { after }) };
          expect(keysOf(await list(beyond))).toEqual(keysOf(await readModels.page(schema.name, beyond)));
        }
      }
    });

    it('has marked rows when asked for', async () => {
      expect(told(await list({ includeDeleted: true, order: 'desc', limit: 1 }))).toEqual([textOf('r5')]);
    });

    it('gives rows for the texts that time has made untrue', async () => {
      const outdated = { field: 'startsAt', op: 'lte', value: 20 } as const;
      expect(told(await list({ outdated }))).toEqual(['r1', 'r2', 'r3', textOf('r4')]);
      const filter = [[{ field: 'status', op: 'in', value: ['ended', 'active'] }]] as const;
      expect(told(await list({ outdated, filter, order: 'desc' }))).toEqual([textOf('r4'), 'r3', 'r2', 'r1']);
      const [first] = await list({ outdated });
      expect(first).toMatchObject({ text: null, stored: withoutText(rows[0] as StoredRow) });
    });

    it('shows the text that was written last', async () => {
      const changing = collection();
      await readModels.define(changing);
      const first = row('c', 1);
      const at = async (stored: StoredRow) => {
        await readModels.apply(changing.name, [stored], stored.position);
        return told(await readModels.list(changing.name, { projectId: 'p', filter: [], order: 'asc', limit: 9 }));
      };
      expect(await at({ ...first, text: '"old"' })).toEqual(['"old"']);
      expect(await at({ ...first, position: position(2), text: '"new"' })).toEqual(['"new"']);
      expect(await at({ ...first, position: position(3) })).toEqual(['c']);
      expect(await at({ ...first, position: position(2), text: '"late"' })).toEqual(['c']);
    });

    it('is of rows that keep their text beside them', async () => {
      const [first, third] = await readModels.getMany(schema.name, ['r1', 'r3']);
      expect([first?.text, third?.text]).toEqual([textOf('r1'), undefined]);
      const page = await readModels.page(schema.name, { projectId: 'p', filter: [], order: 'asc', limit: 9 });
      expect(page.map(({ text }) => text)).toEqual([textOf('r1'), textOf('r2'), undefined, textOf('r4')]);
    });

    it('starts again from empty when the version of its collection is raised', async () => {
      const raised = collection();
      await readModels.define(raised);
      await readModels.apply(raised.name, [shown(row('a', 1))], position(1));
      await readModels.define({ ...raised, version: raised.version + 1 });
      expect(idsOf(await readModels.getMany(raised.name, ['a']))).toEqual(['none']);
      expect(await readModels.checkpoint(raised.name)).not.toBe(position(1));
    });
  });
}
