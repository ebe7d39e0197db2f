import fc from 'fast-check';
import { NodeCryptoSecrets } from '@adapters/secrets.node-crypto';
import { encodeUlid } from '@domain/kernel/ids';
import { settle } from '@testing/fake-clock';
import { Cursors } from './cursor.js';
import type { Page, PageRequest, Span } from './page.js';
import { BeyondReach, compareKeys, PagedLists, sortIdOf, sourceOf, type PagedSource } from './paged-list.js';

interface Thing {
  readonly id: string;
  readonly createdAt: number;
  readonly sortId: string;
}

const NAME = { list: 'things', idKind: 'endpoint', log: 'log' } as const;
const lists = new PagedLists(new Cursors(new NodeCryptoSecrets(Buffer.alloc(32, 7))));

/** Things created at these instants, numbered from zero. */
function thingsOf(instants: readonly number[]): readonly Thing[] {
  const inOrder = instants.toSorted((left, right) => left - right);
  return inOrder.map((createdAt, place) => ({ id: idAt(createdAt, place), createdAt, sortId: sortIdOf(place) }));
}

function idAt(time: number, chance: number): string {
  return `we_${encodeUlid(time, new Uint8Array(10).fill(chance))}`;
}

async function listed(things: readonly Thing[], request: PageRequest): Promise<Page<string>> {
  const { items, ...rest } = await lists.page(
    sourceOf(NAME, things, (thing) => thing),
    request,
  );
  return { ...rest, items: items.map(({ id }) => id) };
}

/** Whether a thing comes after what the id names when things are read in this order. */
function isPast(things: readonly Thing[], id: string, time: number, order: 'asc' | 'desc') {
  const named = things.find((thing) => thing.id === id);
  const sign = order === 'asc' ? 1 : -1;
  return (thing: Thing) => sign * (named ? compareKeys(thing, named) : thing.createdAt - time + sign / 2) > 0;
}

const request = fc.record({
  instants: fc.array(fc.integer({ min: 5, max: 12 }), { maxLength: 20 }),
  order: fc.constantFrom('asc' as const, 'desc' as const),
  limit: fc.integer({ min: 1, max: 6 }),
  created: fc.record<Span>({
    from: fc.integer({ min: 0, max: 15 }),
    before: fc.oneof(fc.integer({ min: -1, max: 15 }), fc.constant(Number.MAX_SAFE_INTEGER)),
  }),
});
/** Of one of the things, or of none. */
const cursor = fc.record({ time: fc.integer({ min: 3, max: 14 }), chance: fc.integer({ min: 0, max: 22 }) });

function isOf({ from, before }: Span) {
  return ({ createdAt }: Thing) => from <= createdAt && createdAt < before;
}

describe('what was created at a time', () => {
  it('is walked whole and in order, the very first included', async () => {
    const walk = fc.asyncProperty(request, async ({ instants, created, order, limit }) => {
      const things = thingsOf(instants);
      const wanted = things.filter(isOf(created)).map(({ id }) => id);
      const seen: string[] = [];
      let page: Page<string>;
      let startingAfter: string | null = null;
      do {
        page = await listed(things, { order, limit, created, startingAfter, endingBefore: null });
        seen.push(...page.items);
        startingAfter = page.nextCursor;
        expect(page.hasMore).toBe(startingAfter !== null);
      } while (startingAfter !== null);
      expect(seen).toEqual(order === 'asc' ? wanted : wanted.toReversed());
    });
    await fc.assert(walk);
  });

  it('is cut where an id says, on either side, wherever that lies', async () => {
    const cut = fc.asyncProperty(request, cursor, fc.boolean(), async (asked, { time, chance }, isBackwards) => {
      const { created, order, limit } = asked;
      const things = thingsOf(asked.instants);
      const id = things[chance]?.id ?? idAt(time, 99);
      const other = order === 'asc' ? 'desc' : 'asc';
      const sense = isBackwards ? other : order;
      const past = things.filter(isOf(created)).filter(isPast(things, id, time, sense));
      const found = (sense === 'asc' ? past : past.toReversed()).slice(0, limit).map((thing) => thing.id);
      const place = isBackwards ? { startingAfter: null, endingBefore: id } : { startingAfter: id, endingBefore: null };
      const page = await listed(things, { order, limit, created, ...place });
      expect(page.items).toEqual(isBackwards ? found.toReversed() : found);
      expect(page.hasMore).toBe(past.length > limit);
    });
    await fc.assert(cut);
  });
});

describe('a list that looks at few things for a page', () => {
  /** Shows every third thing, and looks at no more than `reach` of them. */
  function lookingAt(things: readonly Thing[], reach: number): PagedSource<Thing> {
    const source = sourceOf(NAME, things, (thing) => thing);
    return {
      ...source,
      fetch: async (order, after, limit) => {
        const { items: looked } = await source.fetch(order, after, reach);
        const items = looked.filter(isShown).slice(0, limit);
        const isOver = items.length === limit || looked.length < reach;
        return { items, end: isOver ? null : looked.at(-1)! };
      },
    };
  }
  const isShown = ({ sortId }: Thing) => Number(sortId) % 3 === 0;
  const reach = fc.integer({ min: 1, max: 7 });

  it('is walked whole by its cursors, over pages that are short or empty', async () => {
    const walk = fc.asyncProperty(request, reach, async ({ instants, order, limit }, most) => {
      const things = thingsOf(instants);
      const source = lookingAt(things, most);
      const seen: string[] = [];
      let startingAfter: string | null = null;
      do {
        const page: Page<Thing> = await lists.page(source, { order, limit, startingAfter, endingBefore: null });
        seen.push(...page.items.map(({ id }) => id));
        startingAfter = page.nextCursor;
        expect(page.hasMore).toBe(startingAfter !== null);
      } while (startingAfter !== null);
      const shown = things.filter(isShown).map(({ id }) => id);
      expect(seen).toEqual(order === 'asc' ? shown : shown.toReversed());
    });
    await fc.assert(walk);
  });

  it('is walked back from any place: before its first item, or before the cursor of an empty page', async () => {
    const walk = fc.asyncProperty(request, reach, cursor, async ({ instants, order, limit }, most, { time }) => {
      const things = thingsOf(instants);
      const source = lookingAt(things, most);
      const seen: string[] = [];
      const start = idAt(time, 99);
      let before: string | null = start;
      do {
        const page: Page<Thing> = await lists.page(source, { order, limit, startingAfter: null, endingBefore: before });
        seen.unshift(...page.items.map(({ id }) => id));
        before = page.hasMore ? (page.items[0]?.id ?? page.nextCursor) : null;
      } while (before !== null);
      const past = things.filter(isShown).filter(isPast(things, start, time, order === 'asc' ? 'desc' : 'asc'));
      expect(seen).toEqual((order === 'asc' ? past : past.toReversed()).map(({ id }) => id));
    });
    await fc.assert(walk);
  });
});

describe('finding an item by a walk', () => {
  it('is done once at a time for each project', async () => {
    const [mine, theirs, log] = [[idAt(5, 1), idAt(6, 1)], idAt(7, 1), [] as string[]];
    const page = (project: string, startingAfter: string) => {
      const source = sourceOf(
        NAME,
        [] as Thing[],
        (thing) => thing,
        async (id) => {
          log.push(`looks for ${id}`);
          await settle();
          log.push(`has looked for ${id}`);
          return null;
        },
      );
      const asked = { order: 'desc', limit: 5, startingAfter, endingBefore: null } as const;
      return lists.page({ ...source, walkedBy: project }, asked);
    };
    await Promise.all([...mine.map((id) => page('mine', id)), page('theirs', theirs)]);
    const walks = [mine[0], theirs].map((id) => `looks for ${id}`);
    expect(log.slice(0, 2)).toEqual(walks);
    expect(log.indexOf(`looks for ${mine[1]}`)).toBeGreaterThan(log.indexOf(`has looked for ${mine[0]}`));
  });

  it.each([
    [{ startingAfter: idAt(5, 1) }, 1],
    [{ startingAfter: null, endingBefore: idAt(5, 1) }, 1],
    [{ startingAfter: null, created: { from: 3, before: 9 } }, 1],
    [{ startingAfter: null }, 3],
  ])('is where a page may lie anywhere: %j has %d at a time', async (asked, atOnce) => {
    let [fetching, most] = [0, 0];
    const fetch = async () => {
      most = Math.max(most, ++fetching);
      await settle();
      fetching -= 1;
      return { items: [] };
    };
    const source = { ...sourceOf(NAME, [] as Thing[], (thing) => thing), fetch, walkedBy: 'mine' };
    const request = { order: 'desc', limit: 5, endingBefore: null, ...asked } as const;
    await Promise.all(Array.from({ length: 3 }, () => lists.page(source, request)));
    expect(most).toBe(atOnce);
  });

  it('is refused to a project two hundred of whose walks wait', async () => {
    const fetch = () => new Promise<never>(() => undefined);
    const source = { ...sourceOf(NAME, [] as Thing[], (thing) => thing), fetch, walkedBy: 'busy' };
    const request = { order: 'desc', limit: 5, endingBefore: null, startingAfter: idAt(5, 1) } as const;
    for (let n = 0; n < 201; n++) void lists.page(source, request);
    await expect(lists.page(source, request)).rejects.toMatchObject({ code: 'rate_limit_exceeded' });
  });

  it('is where a page is not within reach, from its beginning', async () => {
    const log: string[] = [];
    const fetch = async (name: string, reach = Infinity) => {
      log.push(`${name} reaches ${reach}`);
      await settle();
      if (name === 'far' && reach < Infinity) throw new BeyondReach();
      log.push(`${name} is there`);
      return { items: [] };
    };
    const page = (name: string) => {
      const source = sourceOf(NAME, [] as Thing[], (thing) => thing);
      const request = { order: 'desc', limit: 5, startingAfter: null, endingBefore: null } as const;
      return lists.page({ ...source, fetch: (_, __, ___, reach) => fetch(name, reach), walkedBy: 'mine' }, request);
    };
    await Promise.all(['far', 'far', 'near'].map(page));
    const atOnce = [...['far', 'far', 'near'].map((name) => `${name} reaches 500`), 'near is there'];
    expect(log.filter((step) => atOnce.includes(step))).toEqual(atOnce);
    const oneByOne = ['far reaches Infinity', 'far is there'];
    expect(log.filter((step) => !atOnce.includes(step))).toEqual([...oneByOne, ...oneByOne]);
  });

  it('is not where something else keeps a page from being fetched', async () => {
    let fetches = 0;
    const fetch = () => Promise.reject(new TypeError(`no, ${++fetches}`));
    const source = { ...sourceOf(NAME, [] as Thing[], (thing) => thing), fetch, walkedBy: 'mine' };
    const request = { order: 'desc', limit: 5, startingAfter: null, endingBefore: null } as const;
    await expect(lists.page(source, request)).rejects.toThrow('no, 1');
    expect(fetches).toBe(1);
  });
});
