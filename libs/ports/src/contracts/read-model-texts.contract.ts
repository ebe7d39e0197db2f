import type { Condition, Filter, ReadModels } from '../read-models.port.js';
import { collection, idsOf, position, row } from './note-rows.js';

export function textContract(readModelsOf: () => ReadModels): void {
  describe('a text in a filter', () => {
    /** Stores one row per text and returns a search for the rows whose `phone` meets a condition. */
    async function holding(texts: readonly string[]) {
      const readModels = readModelsOf();
      const schema = collection();
      await readModels.define(schema);
      const rows = texts.map((phone, index) => row(`o${index}`, index + 1, { phone }));
      await readModels.apply(schema.name, rows, position(texts.length));
      return async (op: Condition['op'], value: Condition['value']) => {
        const filter: Filter = [[{ field: 'phone', op, value }]];
        return idsOf(await readModels.page(schema.name, { projectId: 'p', filter, order: 'asc', limit: 99 }));
      };
    }

    it('that looks like a pattern or an operator is text', async () => {
      const texts = ['100%', '1.0', '.*', '$ne', "' OR 1=1 --", '+4(9'];
      const found = await holding(texts);
      for (const [index, text] of texts.entries()) {
        for (const op of ['eq', 'prefix'] as const) expect(await found(op, text)).toEqual([`o${index}`]);
      }
    });

    /** Sorted by code points; UTF-16 code units would sort U+1F600 before U+E000. */
    const ODD = [
      'n',
      'n\u0000',
      'n\u0000b',
      'n\u0000c',
      'n\u0001',
      'n\u0001\u0001',
      'n\u0001\u0002',
      'n\u0002',
      'na',
      'n\ud7ff',
      'n\ue000',
      'n\uffee',
      'n\u{1f600}',
      'n\u{1f600}b',
      'n\u{10ffff}',
      'n\u{10ffff}b',
      'o',
      '\u{10ffff}',
      '\u{10ffff}\u{10ffff}',
    ];

    it('is whole, whatever characters are in it', async () => {
      const found = await holding(ODD);
      for (const [index, text] of ODD.entries()) {
        expect(await found('eq', text)).toEqual([`o${index}`]);
        expect(await found('in', [text, 'elsewhere'])).toEqual([`o${index}`]);
      }
    });

    it('begins and is ordered by all of its characters, each as its code point', async () => {
      const found = await holding(ODD);
      const idsWhere = (passes: (text: string) => boolean) => ODD.flatMap((text, index) => (passes(text) ? [`o${index}`] : []));
      for (const text of ODD) {
        expect(await found('prefix', text)).toEqual(idsWhere((other) => other.startsWith(text)));
        expect(await found('lt', text)).toEqual(idsWhere((other) => ODD.indexOf(other) < ODD.indexOf(text)));
        expect(await found('gte', text)).toEqual(idsWhere((other) => ODD.indexOf(other) >= ODD.indexOf(text)));
      }
    });
  });
}
