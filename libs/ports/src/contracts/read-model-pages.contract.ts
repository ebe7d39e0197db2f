import fc from 'fast-check';
import type { Filter, PageQuery, ReadModels, SortKey, StoredRow } from '../read-models.port.js';
import { collection, idsOf, position, row, rowsOf } from './note-rows.js';

const keyOf = ({ createdAt, sortId }: StoredRow): SortKey => ({ createdAt, sortId });

export function pageContract(readModelsOf: () => ReadModels): void {
  describe('a page', () => {
    const schema = collection();
    let readModels: ReadModels;

    beforeAll(async () => {
      readModels = readModelsOf();
      await readModels.define(schema);
      const rows = [
        row('r1', 1, { status: 'active', customerId: 'c1', phone: '+4930111', startsAt: 10, open: true }),
        row('r2', 2, { status: 'ended', customerId: 'c1', phone: '+4930222', startsAt: 20, open: false }),
        row('r3', 3, { status: 'active', customerId: 'c2', phone: '+4940333', startsAt: 30, open: true }),
        row('r4', 4, { status: 'handed_off', customerId: null, phone: null, startsAt: 40, open: false }),
        row('r5', 5, { status: 'active', customerId: 'c1', phone: '+49301', startsAt: 50, open: true }),
        row('foreign', 6, { status: 'active', customerId: 'c1' }, 'q'),
        { ...row('r7', 7, { status: 'active', customerId: 'c1' }), deleted: true },
      ];
      await readModels.apply(schema.name, rows, position(7));
    });

    const page = (query: Partial<PageQuery>) =>
      readModels.page(schema.name, { projectId: 'p', filter: [], order: 'asc', limit: 100, ...query });
    const ids = async (filter: Filter, query: Partial<PageQuery> = {}) => idsOf(await page({ filter, ...query }));

    it('has the unmarked rows of one project, in either order', async () => {
      expect(await ids([])).toEqual(['r1', 'r2', 'r3', 'r4', 'r5']);
      expect(await ids([], { order: 'desc' })).toEqual(['r5', 'r4', 'r3', 'r2', 'r1']);
      expect(await ids([], { projectId: 'q' })).toEqual(['foreign']);
      expect(await ids([], { projectId: 'nobody' })).toEqual([]);
    });

    it('has marked rows in their old place when asked for', async () => {
      expect(await ids([], { includeDeleted: true })).toEqual(['r1', 'r2', 'r3', 'r4', 'r5', 'r7']);
      expect(await ids([], { includeDeleted: true, order: 'desc', limit: 2 })).toEqual(['r7', 'r5']);
    });

    it('gives rows as they are kept', async () => {
      const [found] = await page({ limit: 1 });
      expect(JSON.stringify([found])).toBe(JSON.stringify(await readModels.getMany(schema.name, ['r1'])));
    });

    it('goes on strictly beyond a key, limited', async () => {
      const [, second] = await page({});
      const after = keyOf(second as StoredRow);
      expect(await ids([], { after, limit: 2 })).toEqual(['r3', 'r4']);
      expect(await ids([], { after, order: 'desc' })).toEqual(['r1']);
    });

    it('sorts by the time of creation before the position', async () => {
      const times = collection();
      await readModels.define(times);
      const rows = [5, 3, 9, 3].map((createdAt, index) => ({ ...row(`t${index}`, index + 1), createdAt }));
      await readModels.apply(times.name, rows, position(4));
      const found = await readModels.page(times.name, { projectId: 'p', filter: [], order: 'asc', limit: 9 });
      expect(idsOf(found)).toEqual(['t1', 't3', 't0', 't2']);
    });

    it.each<[string, Filter, string[]]>([
      ['equal to a value', [[{ field: 'status', op: 'eq', value: 'active' }]], ['r1', 'r3', 'r5']],
      ['equal to null', [[{ field: 'customerId', op: 'eq', value: null }]], ['r4']],
      ['equal to a truth value', [[{ field: 'open', op: 'eq', value: false }]], ['r2', 'r4']],
      ['equal to a number', [[{ field: 'startsAt', op: 'eq', value: 30 }]], ['r3']],
      ['one of several', [[{ field: 'status', op: 'in', value: ['ended', 'handed_off', 'ended'] }]], ['r2', 'r4']],
      ['one of none', [[{ field: 'status', op: 'in', value: [] }]], []],
      ['one of several or null', [[{ field: 'customerId', op: 'in', value: ['c2', null] }]], ['r3', 'r4']],
      ['above', [[{ field: 'startsAt', op: 'gt', value: 30 }]], ['r4', 'r5']],
      ['at or above', [[{ field: 'startsAt', op: 'gte', value: 30 }]], ['r3', 'r4', 'r5']],
      ['below', [[{ field: 'startsAt', op: 'lt', value: 20 }]], ['r1']],
      ['at or below', [[{ field: 'startsAt', op: 'lte', value: 20 }]], ['r1', 'r2']],
      ['beginning with', [[{ field: 'phone', op: 'prefix', value: '+4930' }]], ['r1', 'r2', 'r5']],
      [
        'created in a range',
        [
          [
            { field: 'createdAt', op: 'gte', value: 1001 },
            { field: 'createdAt', op: 'lt', value: 1002 },
          ],
        ],
        ['r2', 'r3'],
      ],
      ['created at one of several times', [[{ field: 'createdAt', op: 'in', value: [1000, 1002] }]], ['r1', 'r4', 'r5']],
      ['created at one of none', [[{ field: 'createdAt', op: 'in', value: [] }]], []],
      ['created exactly then', [[{ field: 'createdAt', op: 'eq', value: 1002 }]], ['r4', 'r5']],
      [
        'all of several',
        [
          [
            { field: 'status', op: 'eq', value: 'active' },
            { field: 'customerId', op: 'eq', value: 'c1' },
            { field: 'startsAt', op: 'gt', value: 10 },
          ],
        ],
        ['r5'],
      ],
      [
        'any of several, each row once',
        [[{ field: 'status', op: 'eq', value: 'active' }], [{ field: 'customerId', op: 'eq', value: 'c1' }]],
        ['r1', 'r2', 'r3', 'r5'],
      ],
      [
        'any of several that are all of several',
        [
          [
            { field: 'status', op: 'eq', value: 'active' },
            { field: 'customerId', op: 'eq', value: 'c2' },
          ],
          [
            { field: 'status', op: 'in', value: ['ended', 'active'] },
            { field: 'open', op: 'eq', value: false },
          ],
        ],
        ['r2', 'r3'],
      ],
      ['nothing matches', [[{ field: 'status', op: 'eq', value: 'unknown' }]], []],
    ])('filters: %s', async (_, filter, expected) => {
      expect(await ids(filter)).toEqual(expected);
      expect(await ids(filter, { order: 'desc' })).toEqual([...expected].reverse());
      expect(await ids(filter, { limit: 1 })).toEqual(expected.slice(0, 1));
    });

    it('filters: one of very many in several fields', async () => {
      const many = Array.from({ length: 60 }, (_, index) => `other ${index}`);
      const filter: Filter = [
        [
          { field: 'status', op: 'in', value: [...many, 'active', 'handed_off'] },
          { field: 'customerId', op: 'in', value: [...many, 'c1', null] },
        ],
      ];
      expect(await ids(filter)).toEqual(['r1', 'r4', 'r5']);
      expect(await ids(filter, { order: 'desc', limit: 2 })).toEqual(['r5', 'r4']);
    });

    it('is of no rows that are asked for by what the collection does not name', async () => {
      await expect(ids([[{ field: 'title', op: 'eq', value: 'x' }]])).rejects.toThrow('title');
      await expect(readModels.due(schema.name, 'status', 10, 10)).rejects.toThrow('status');
    });

    it('follows a row whose filter field changes', async () => {
      const moving = collection();
      await readModels.define(moving);
      await readModels.apply(moving.name, rowsOf(1, 3), position(3));
      const changed = { ...row('n2', 2, { status: 'ended' }), position: position(4) };
      await readModels.apply(moving.name, [changed], position(4));
      const withStatus = async (status: string) => {
        const filter: Filter = [[{ field: 'status', op: 'eq', value: status }]];
        return idsOf(await readModels.page(moving.name, { projectId: 'p', filter, order: 'asc', limit: 9 }));
      };
      expect(await withStatus('active')).toEqual(['n1', 'n3']);
      expect(await withStatus('ended')).toEqual(['n2']);
    });

    it('law: following pages visits every row that was there once, in order, while others come and go', async () => {
      const walk = fc.record({
        size: fc.integer({ min: 1, max: 40 }),
        limit: fc.integer({ min: 1, max: 9 }),
        order: fc.constantFrom('asc' as const, 'desc' as const),
        filtered: fc.boolean(),
        inserts: fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 20 }),
      });
      await fc.assert(
        fc.asyncProperty(walk, async ({ size, limit, order, filtered, inserts }) => {
          const notes = collection();
          await readModels.define(notes);
          const original = rowsOf(1, size);
          await readModels.apply(notes.name, original, position(size));
          const filter: Filter = filtered ? [[{ field: 'status', op: 'in', value: ['active', 'ended'] }]] : [];
          const seen: StoredRow[] = [];
          for (let at = size + 1, last: StoredRow | undefined; ; at += 1) {
            const query: PageQuery = { projectId: 'p', filter, order, limit, ...(last && { after: keyOf(last) }) };
            const found = await readModels.page(notes.name, query);
            seen.push(...found);
            last = found.at(-1);
            if (!last) break;
            const time = inserts[at - size - 1];
            if (time === undefined) continue;
            const late = { ...row(`late ${at}`, at), createdAt: 990 + time };
            await readModels.apply(notes.name, [late], position(at));
          }
          const old = seen.filter(({ id }) => id.startsWith('n'));
          const expected = idsOf(original);
          expect(idsOf(old)).toEqual(order === 'asc' ? expected : expected.reverse());
          expect(new Set(idsOf(seen)).size).toBe(seen.length);
        }),
        { numRuns: 25 },
      );
    });
  });
}
