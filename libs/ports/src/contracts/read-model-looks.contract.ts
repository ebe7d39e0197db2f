import fc from 'fast-check';
import type { Condition, Look, LookQuery, ReadModels, SortKey } from '../read-models.port.js';
import { collection, idsOf, position, row } from './note-rows.js';

const STATUSES = ['active', 'ended', 'handed_off'];
const ROWS = 60;

/** The contract of a look, which `reach` bounds. */
export function lookContract(readModelsOf: () => ReadModels): void {
  describe('a look', () => {
    const schema = collection();
    let readModels: ReadModels;
    const rows = Array.from({ length: ROWS }, (_, n) => ({
      ...row(`n${n}`, n, { status: STATUSES[n % 3], customerId: n % 7 === 0 ? null : `c${n % 5}`, open: n % 4 === 0 }),
      deleted: n % 11 === 5,
    }));
    const foreign = Array.from({ length: 10 }, (_, n) => row(`f${n}`, ROWS + n, {}, 'q'));

    beforeAll(async () => {
      readModels = readModelsOf();
      await readModels.define(schema);
      await readModels.apply(schema.name, [...rows, ...foreign], position(100));
    });

    const ACTIVE: Condition = { field: 'status', op: 'eq', value: 'active' };
    const ANY: Condition = { field: 'status', op: 'in', value: STATUSES };
    const OPEN: Condition = { field: 'open', op: 'eq', value: true };
    const usual = { projectId: 'p', by: ACTIVE, filter: [], order: 'asc', limit: 100, reach: 1_000 } as const;
    const look = (query: Partial<LookQuery> = {}) => readModels.look(schema.name, { ...usual, ...query });
    const ids = async (query: Partial<LookQuery>) => idsOf((await look(query)).rows);
    const pageOf = async ({ by, filter, order }: Pick<LookQuery, 'by' | 'filter' | 'order'>) =>
      idsOf(await readModels.page(schema.name, { projectId: 'p', filter: [[by, ...filter]], order, limit: 100 }));

    it.each<[string, Condition, readonly Condition[]]>([
      ['of one value', ACTIVE, []],
      ['of several values', ANY, []],
      ['of a value that is named twice', { ...ANY, value: ['ended', 'ended'] }, []],
      ['without a value', { field: 'customerId', op: 'eq', value: null }, [ACTIVE]],
      ['that meet another condition', ANY, [OPEN]],
      ['that meet several', ANY, [OPEN, { field: 'customerId', op: 'in', value: ['c1', 'c2', null] }]],
      [
        'of a span of time',
        ANY,
        [OPEN, { field: 'createdAt', op: 'gte', value: 1_010 }, { field: 'createdAt', op: 'lt', value: 1_020 }],
      ],
      ['of no value', { ...ANY, value: [] }, []],
    ])('finds the rows of a page, in either order: %s', async (_, by, filter) => {
      for (const order of ['asc', 'desc'] as const) {
        const found = await look({ by, filter, order });
        expect([idsOf(found.rows), found.end]).toEqual([await pageOf({ by, filter, order }), null]);
      }
    });

    it('ends at its limit, with nothing left to look at before the last row found', async () => {
      expect(await look({ by: ANY, limit: 3 })).toMatchObject({ rows: [{ id: 'n0' }, { id: 'n1' }, { id: 'n2' }], end: null });
      expect(await ids({ filter: [OPEN], limit: 2, order: 'desc' })).toEqual(['n48', 'n36']);
    });

    it('tells the place at which its reach ended, and finds nothing beyond', async () => {
      const never: Condition = { field: 'phone', op: 'eq', value: '+49' };
      // Every third row is active, and deleted ones are not looked at.
      expect(await look({ filter: [never], reach: 3 })).toEqual({ rows: [], end: { createdAt: 1003, sortId: position(6) } });
      const { rows: found, end } = await look({ filter: [OPEN], reach: 4, order: 'desc' });
      expect([idsOf(found), end]).toEqual([['n48'], { createdAt: 1024, sortId: position(48) }]);
    });

    it('rows of other projects and deleted ones are beyond any look', async () => {
      expect(await ids({ projectId: 'q' })).toEqual(idsOf(foreign));
      expect(await ids({ projectId: 'nobody' })).toEqual([]);
    });

    it('gives rows as they are kept', async () => {
      const [found] = (await look({ limit: 1 })).rows;
      expect(JSON.stringify([found])).toBe(JSON.stringify(await readModels.getMany(schema.name, ['n0'])));
    });

    it('goes on exactly where the one before ended, whatever its limit and reach', async () => {
      const asked = fc.record({
        by: fc.constantFrom(ACTIVE, ANY),
        filter: fc.constantFrom([], [OPEN], [{ field: 'createdAt', op: 'lte', value: 1_020 } as const]),
        order: fc.constantFrom('asc' as const, 'desc' as const),
        limit: fc.integer({ min: 1, max: 9 }),
        reach: fc.integer({ min: 3, max: 25 }),
      });
      await fc.assert(
        fc.asyncProperty(asked, async (query) => {
          const found: string[] = [];
          let after: SortKey | undefined;
          do {
            const next: Look = await look({ ...query, ...(after && { after }) });
            const last = next.rows.at(-1);
            found.push(...idsOf(next.rows));
            expect(next.rows.length <= Math.min(query.limit, query.reach)).toBe(true);
            after =
              next.end ??
              (next.rows.length === query.limit ? last && { createdAt: last.createdAt, sortId: last.sortId } : undefined);
          } while (after);
          expect(found).toEqual(await pageOf(query));
        }),
        { numRuns: 40 },
      );
    });

    it('is refused along a member that is no filter field', async () => {
      await expect(look({ by: { field: 'mood', op: 'eq', value: 1 } })).rejects.toThrow('no filter field');
    });
  });
}
