import type { ReadModels } from '../read-models.port.js';
import { collectionWithShared, idsOf, position, row } from './note-rows.js';

export function scanContract(readModelsOf: () => ReadModels): void {
  describe('a scan of all rows', () => {
    const schema = collectionWithShared();
    let readModels: ReadModels;
    beforeAll(async () => {
      readModels = readModelsOf();
      await readModels.define(schema);
      const rows = [
        row('n2', 1),
        row('n10', 2, { note: 'a text' }, 'other project'),
        { ...row('n1', 3), deleted: true },
        row('N3', 4),
        row('zoë', 5),
        row('z', 6),
      ];
      await readModels.apply(schema.name, rows, position(6), [row('shared', 6)]);
    });
    const idsAfter = async (after: string | undefined, limit = 100) =>
      idsOf(await readModels.scan(schema.name, { limit, ...(after !== undefined && { after }) }));

    it('finds those of all projects, also deleted ones, in the order of their ids', async () => {
      expect(await idsAfter(undefined)).toEqual(['N3', 'n1', 'n10', 'n2', 'z', 'zoë']);
    });

    it('goes on after an id, whether or not a row has it', async () => {
      expect(await idsAfter('n10')).toEqual(['n2', 'z', 'zoë']);
      expect(await idsAfter('n11')).toEqual(['n2', 'z', 'zoë']);
      expect(await idsAfter('zoë')).toEqual([]);
    });

    it('finds as many as are asked for', async () => {
      expect(await idsAfter(undefined, 2)).toEqual(['N3', 'n1']);
      expect(await idsAfter('n1', 1)).toEqual(['n10']);
    });

    it('tells rows as they were written', async () => {
      const [found] = await readModels.scan(schema.name, { after: 'n1', limit: 1 });
      expect(found).toEqual(row('n10', 2, { note: 'a text' }, 'other project'));
    });

    it('finds the rows of a shared collection by its own name', async () => {
      expect(idsOf(await readModels.scan(schema.shared.name, { limit: 10 }))).toEqual(['shared']);
    });
  });
}
