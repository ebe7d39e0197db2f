import type { ReadModels } from '../read-models.port.js';
import { collection, idsOf, position, row } from './note-rows.js';

export function dueContract(readModelsOf: () => ReadModels): void {
  describe('what is due', () => {
    const schema = collection();
    let readModels: ReadModels;
    beforeAll(async () => {
      readModels = readModelsOf();
      await readModels.define(schema);
      const rows = [
        row('d30', 1, { dueAt: 30 }),
        row('d10', 2, { dueAt: 10 }, 'other project'),
        row('never', 3, { dueAt: null }),
        row('d20', 4, { dueAt: 20 }),
        { ...row('gone', 5, { dueAt: 5 }), deleted: true },
        row('absent', 6, {}),
      ];
      await readModels.apply(schema.name, rows, position(6));
    });

    it('comes from all projects, smallest first, at most up to the given value', async () => {
      expect(idsOf(await readModels.due(schema.name, 'dueAt', 30, 10))).toEqual(['d10', 'd20', 'd30']);
      expect(idsOf(await readModels.due(schema.name, 'dueAt', 29, 10))).toEqual(['d10', 'd20']);
      expect(idsOf(await readModels.due(schema.name, 'dueAt', 9, 10))).toEqual([]);
      expect(idsOf(await readModels.due(schema.name, 'dueAt', 30, 2))).toEqual(['d10', 'd20']);
    });

    it('goes on beyond a key, also among rows with the same value', async () => {
      const same = ['s3', 's1', 's2'].map((id, n) => row(id, 10 + n, { dueAt: 40 }));
      await readModels.apply(schema.name, same, position(12));
      const beyond = async (value: number, id: string, limit = 10) =>
        idsOf(await readModels.due(schema.name, 'dueAt', 40, limit, { value, id }));
      expect(await beyond(10, 'd10')).toEqual(['d20', 'd30', 's1', 's2', 's3']);
      expect(await beyond(20, 'd20', 2)).toEqual(['d30', 's1']);
      expect(await beyond(40, 's1')).toEqual(['s2', 's3']);
      expect(await beyond(40, 's3')).toEqual([]);
    });

    it('leaves when it is no longer due', async () => {
      await readModels.apply(schema.name, [{ ...row('d20', 4, { dueAt: null }), position: position(13) }], position(13));
      expect(idsOf(await readModels.due(schema.name, 'dueAt', 30, 10))).toEqual(['d10', 'd30']);
    });
  });
}
