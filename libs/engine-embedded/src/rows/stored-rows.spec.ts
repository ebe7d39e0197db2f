import fc from 'fast-check';
import type { Filter } from '@ports/read-models.port';
import { turnsDuring } from '@testing/event-loop';
import { NOTES, StoredNotes } from '@testing/stored-notes';
import { StoredRows } from './stored-rows.js';

const IN_EITHER_STATUS: Filter = [[{ field: 'status', op: 'in', value: ['open', 'done'] }]];

type TextRow = { readonly text?: string | null };
const found = async <Item>(page: readonly Item[] | (() => Promise<readonly Item[]>)) =>
  typeof page === 'function' ? page() : page;

describe('a page while the writer goes on', () => {
  let notes: StoredNotes;
  beforeEach(() => void (notes = new StoredNotes()));
  afterEach(() => notes.close());

  const write = (n: number, status: string, size?: number): void =>
    notes.put(notes.rowOf(n, { status, ...(size !== undefined && { size }) }));

  /** A reader that the writer overtakes once, after its first ranges. */
  function overtakenBy(change: () => void, { ranges = 1, tooManyToSort }: { ranges?: number; tooManyToSort?: number } = {}) {
    return new StoredRows(notes.overtakenBehind(ranges, change), NOTES, 1, undefined, tooManyToSort);
  }

  const QUERY = { projectId: 'p', filter: IN_EITHER_STATUS, order: 'asc', limit: 20 } as const;

  it.each([
    ['done', 'open'],
    ['open', 'done'],
  ])('shows a row once that goes from %s to %s, both of which are asked for', async (before, after) => {
    for (const number of [1, 2, 3]) write(number, before);
    const rows = overtakenBy(() => write(2, after));
    expect((await found(rows.page(QUERY))).map(({ id }) => id)).toEqual(['n1', 'n2', 'n3']);
    const lists = overtakenBy(() => write(2, before));
    expect((await found(lists.list(QUERY))).map(({ text }) => text)).toEqual(['"n1"', '"n2"', '"n3"']);
  });

  it('sees with the next page what was written during the one before', async () => {
    write(1, 'open');
    const rows = overtakenBy(() => write(2, 'done'));
    expect((await found(rows.page(QUERY))).map(({ id }) => id)).toEqual(['n1']);
    expect((await found(rows.page(QUERY))).map(({ id }) => id)).toEqual(['n1', 'n2']);
  });

  describe('that any number of rows may have to be passed for', () => {
    const word = fc.constantFrom('open', 'done', 'lost');
    const alternative = fc.record({
      statuses: fc.uniqueArray(word, { minLength: 1 }),
      from: fc.integer({ min: 0, max: 12 }),
      before: fc.integer({ min: 4, max: 20 }),
      created: fc.option(fc.integer({ min: 0, max: 9 }), { nil: undefined }),
    });
    const bound = fc.record({ op: fc.constantFrom('gte' as const, 'lte' as const), value: fc.integer({ min: 0, max: 9 }) });
    const walks = fc.record({
      notes: fc.array(fc.record({ status: word, size: fc.integer({ min: 0, max: 16 }), deleted: fc.boolean() }), {
        maxLength: 20,
      }),
      alternatives: fc.array(alternative, { minLength: 1, maxLength: 3 }),
      created: fc.option(bound, { nil: undefined }),
      only: fc.option(word, { nil: undefined }),
      order: fc.constantFrom('asc' as const, 'desc' as const),
      limit: fc.integer({ min: 1, max: 7 }),
      after: fc.option(fc.integer({ min: 0, max: 8 }), { nil: undefined }),
      includeDeleted: fc.boolean(),
    });
    type Walked = typeof walks extends fc.Arbitrary<infer One> ? One : never;
    const keyOf = (n: number) => ({ createdAt: Math.floor(n / 2), sortId: `${n}`.padStart(20, '0') });
    let project = 0;

    /** Conditions common to all alternatives are in each of them, before or after its own. */
    function query({ alternatives, created: bound, only, order, limit, after, includeDeleted }: Walked, projectId: string) {
      const filter: Filter = alternatives.map(({ statuses, from, before, created }, n) => {
        const own: Filter[number] = [
          { field: 'status', op: 'in', value: statuses },
          { field: 'size', op: 'gte', value: from } as const,
          { field: 'size', op: 'lt', value: before } as const,
          ...(created === undefined ? [] : [{ field: 'createdAt', op: 'lte', value: created } as const]),
        ];
        const shared: Filter[number] = [
          ...(bound === undefined ? [] : [{ field: 'createdAt', ...bound } as const]),
          ...(only === undefined ? [] : [{ field: 'status', op: 'eq', value: only } as const]),
        ];
        return n % 2 === 0 ? [...own, ...shared] : [...shared, ...own];
      });
      return { projectId, filter, order, limit, includeDeleted, ...(after === undefined ? {} : { after: keyOf(after) }) };
    }

    function expected({ notes, alternatives, created: bound, only, order, limit, after, includeDeleted }: Walked) {
      const sign = order === 'asc' ? 1 : -1;
      const inBound = (createdAt: number) =>
        bound === undefined || (bound.op === 'gte' ? createdAt >= bound.value : createdAt <= bound.value);
      const found = notes
        .map((note, n) => ({ ...note, n, createdAt: keyOf(n).createdAt }))
        .filter(({ createdAt, status, deleted, n }) => {
          if (!inBound(createdAt) || (only !== undefined && status !== only)) return false;
          return (includeDeleted || !deleted) && (after === undefined || sign * (n - after) > 0);
        })
        .filter(({ status, size, createdAt }) =>
          alternatives.some(
            ({ statuses, from, before, created = 99 }) =>
              statuses.includes(status) && size >= from && size < before && createdAt <= created,
          ),
        );
      return found
        .toSorted((one, other) => sign * (one.n - other.n))
        .slice(0, limit)
        .map(({ n }) => `n${n}`);
    }

    it.each([
      [{ first: 1, longest: 1 }, 0],
      [{ first: 1, longest: 5 }, 0],
      [{ first: 100, longest: 1_000 }, 0],
      [{ first: 1, longest: 0 }, 100],
      [{ first: 3, longest: 2 }, 7],
    ])(
      'is what the filter says, in order, in stretches of %j, where so many are too many to sort: %d',
      async (stretches, many) => {
        const rows = new StoredRows(notes.reader, NOTES, 1, stretches, many);
        await fc.assert(
          fc.asyncProperty(walks, async (walked) => {
            const projectId = `p${++project}`;
            for (const [n, { status, size, deleted }] of walked.notes.entries()) {
              const row = { position: '1', deleted, row: { status, size }, text: `"n${n}"` };
              notes.put({ id: `${projectId}-n${n}`, projectId, ...keyOf(n), ...row });
            }
            const pages = [
              await found<TextRow>(rows.page(query(walked, projectId))),
              await found<TextRow>(rows.list(query(walked, projectId))),
            ];
            for (const page of pages) expect(page.map(({ text }) => text)).toEqual(expected(walked).map((id) => `"${id}"`));
          }),
          { numRuns: 150 },
        );
      },
    );

    const LOST = { field: 'status', op: 'prefix', value: 'lost' } as const;
    const OPEN = { field: 'status', op: 'prefix', value: 'open' } as const;
    const inFives = (tooManyToSort = 0) => new StoredRows(notes.reader, NOTES, 1, { first: 5, longest: 5 }, tooManyToSort);

    it('lets others have their turn', async () => {
      for (let n = 0; n < 50; n++) write(n, 'open');
      expect(await turnsDuring(found(inFives().page({ ...QUERY, filter: [[LOST]] })))).toBeGreaterThanOrEqual(9);
    });

    it('lets others have their turn also where an index gives some thousand rows to look at', async () => {
      const filter: Filter = [
        [
          { field: 'status', op: 'eq', value: 'open' },
          { field: 'size', op: 'gt', value: 1_000 },
        ],
      ];
      for (let n = 0; n < 1_000; n++) write(n, 'open', n);
      for (let n = 1_000; n < 2_100; n++) write(n, 'done', n);
      expect(await turnsDuring(found(new StoredRows(notes.reader, NOTES, 1).page({ ...QUERY, filter })))).toBeGreaterThanOrEqual(
        9,
      );
    });

    it('that one range tells all of is found at once', () => {
      const filter: Filter = [
        [
          { field: 'size', op: 'gt', value: 10 },
          { field: 'size', op: 'lt', value: 900 },
        ],
      ];
      for (let n = 0; n < 1_000; n++) write(n, 'open', n);
      expect(new StoredRows(notes.reader, NOTES, 1).page({ ...QUERY, filter })).toHaveLength(20);
    });

    it('looks past the places of one range where another has no end', async () => {
      const filter: Filter = [
        [{ field: 'status', op: 'eq', value: 'open' }],
        [
          { field: 'size', op: 'gte', value: 2 },
          { field: 'status', op: 'gt', value: 'x' },
        ],
      ];
      for (let n = 0; n < 9; n++) write(n, n < 8 ? 'open' : 'yes', n);
      const rows = new StoredRows(notes.reader, NOTES, 1, { first: 2, longest: 0 });
      const page = await found(rows.page({ ...QUERY, filter }));
      expect(page.map(({ id }) => id)).toEqual(Array.from({ length: 9 }, (_, n) => `n${n}`));
    });

    it('goes no further once it is full', async () => {
      for (let n = 0; n < 50; n++) write(n, 'open');
      expect(await turnsDuring(found(inFives().page({ ...QUERY, filter: [[OPEN]], limit: 5 })))).toBe(0);
    });

    it('is one of more values than have ranges of their own, or where but one of its ranges is long', () => {
      for (let n = 0; n < 9; n++) write(n, n < 8 ? 'open' : 'done');
      const named = { field: 'status', op: 'gte', value: 'a' } as const;
      const alternatives: Filter = ['done', 'open'].map((value) => [{ field: 'status', op: 'eq', value }, named]);
      const values: Filter = [[{ field: 'status', op: 'in', value: Array.from({ length: 101 }, (_, n) => `s${n}`) }]];
      expect(inFives(4).page({ ...QUERY, filter: alternatives })).toBeInstanceOf(Function);
      expect(inFives(4).list({ ...QUERY, filter: alternatives })).toBeInstanceOf(Function);
      expect(inFives().page({ ...QUERY, filter: values })).toBeInstanceOf(Function);
    });

    it('shows a row once that is deleted meanwhile, where the deleted are asked for too', async () => {
      for (const number of [1, 2, 3]) write(number, 'open');
      const rows = overtakenBy(() => notes.put({ ...notes.rowOf(2, { status: 'open' }), deleted: true }), {
        ranges: 2,
        tooManyToSort: 0,
      });
      const page = await found(rows.page({ ...QUERY, filter: [[OPEN]], includeDeleted: true }));
      expect(page.map(({ id }) => id)).toEqual(['n1', 'n2', 'n3']);
    });

    it('lists with itself a row that has no text', async () => {
      const { text: _text, ...silent } = notes.rowOf(1, { status: 'lost' });
      notes.put(silent);
      const list = await found(inFives().list({ ...QUERY, filter: [[LOST]] }));
      expect(list).toMatchObject([{ text: null, stored: { id: 'n1' } }]);
    });

    it.each([[['open']], [['open', 'done']]])('ends where the time asked for ends (%j)', async (value) => {
      for (let n = 0; n < 200; n++) write(n, 'open');
      const filter: Filter = [[{ field: 'status', op: 'in', value }, LOST, { field: 'createdAt', op: 'gte', value: 190 }]];
      expect(await turnsDuring(found(inFives().page({ ...QUERY, order: 'desc', filter })))).toBeLessThan(5);
    });

    it('leaves out none for a time that but one alternative asks for', async () => {
      for (let n = 0; n < 10; n++) write(n, 'open');
      const created = (op: 'lte' | 'gte', value: number) => ({ field: 'createdAt', op, value }) as const;
      const filter = (...times: readonly ReturnType<typeof created>[]): Filter => times.map((time) => [OPEN, time]);
      const shown = async (asked: Filter) => (await found(inFives().page({ ...QUERY, filter: asked }))).map(({ id }) => id);
      const all = Array.from({ length: 10 }, (_, n) => `n${n}`);
      expect(await shown(filter(created('lte', 4), created('gte', 4)))).toEqual(all);
      expect(await shown(filter(created('lte', 4), created('lte', 9)))).toEqual(all);
    });

    it('passes none but those that all alternatives ask for', async () => {
      for (let n = 0; n < 200; n++) write(n, n < 10 ? 'done' : 'open');
      const done = { field: 'status', op: 'eq', value: 'done' } as const;
      const filter: Filter = [
        [done, { field: 'size', op: 'gt', value: 3 }],
        [{ field: 'size', op: 'eq', value: 3 }, done],
      ];
      expect(await turnsDuring(found(inFives().page({ ...QUERY, order: 'desc', filter })))).toBeLessThan(5);
    });
  });
});
