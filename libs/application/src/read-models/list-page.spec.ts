import fc from 'fast-check';
import type { StoredRow } from '@ports/read-models.port';
import { NOTES_PROJECT, notesProjection, NotesWorld } from '@testing/notes-world';
import type { Page, PageRequest } from '../paging/page.js';
import { GetRow } from './get-row.query.js';

let world: NotesWorld;
beforeEach(async () => {
  world = await NotesWorld.hosting();
});
afterEach(() => world.close());

const NOBODY = 'cust_01J9Z3K8Q4T6V8X0A2C4E6G8J0';

async function writeNotes(count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let number = 0; number < count; number++) {
    ids.push(await world.write(`note ${number}`));
    if (number % 3 === 0) world.clock.set(world.clock.now() + 1);
  }
  return ids;
}

function idsOf({ items }: Page<StoredRow>): readonly string[] {
  return items.map(({ id }) => id);
}

function refusal(request: Partial<PageRequest>): Promise<unknown> {
  return world.list(request).then(
    () => 'answered',
    (error: unknown) => error,
  );
}

describe('a list', () => {
  it('shows what was written before it was asked for, newest first', async () => {
    const ids = await writeNotes(5);
    expect(idsOf(await world.list())).toEqual(ids.toReversed());
    expect(idsOf(await world.list({ order: 'asc' }))).toEqual(ids);
  });

  it('answers with what is there when the read model does not catch up', async () => {
    const [id] = await writeNotes(1);
    expect(idsOf(await world.list())).toEqual([id]);
    await world.host.beforeApplicationShutdown();
    await world.write('unseen');
    const listed = world.list();
    await world.clock.advance(1_999);
    expect(await Promise.race([listed, Promise.resolve('still waiting')])).toBe('still waiting');
    await world.clock.advance(1);
    expect(idsOf(await listed)).toEqual([id]);
  });

  it('is out of reach, and what is in it too, while its rows are projected anew and are not yet where the older ones were', async () => {
    const [id] = await writeNotes(1);
    await world.projected();
    await world.host.beforeApplicationShutdown();
    const { readModels } = world.ports;
    const kept = await world.dump();
    const checkpoint = await readModels.checkpoint('notes');
    await readModels.define(
      { ...notesProjection.schema, version: notesProjection.schema.version + 1 },
      { log: world.ports.events },
    );
    const asked = () => [world.list(), world.rows.execute(new GetRow(notesProjection, NOTES_PROJECT, id!) as never)];
    const answers = Promise.allSettled(asked());
    await world.clock.advance(2_000);
    for (const answer of await answers) expect(answer).toMatchObject({ reason: { code: 'service_unavailable' } });
    await readModels.apply('notes', kept, checkpoint);
    await expect(Promise.all(asked())).resolves.toMatchObject([{ items: [{ id }] }, { id }]);
  });

  it('ends with null, also when the last page is exactly full', async () => {
    const ids = await writeNotes(4);
    const first = await world.list({ limit: 2 });
    expect(first).toMatchObject({ hasMore: true, nextCursor: expect.stringMatching(/^cur_/) });
    const second = await world.list({ limit: 2, startingAfter: first.nextCursor });
    expect(idsOf(second)).toEqual([ids[1], ids[0]]);
    expect(second).toMatchObject({ hasMore: false, nextCursor: null });
    expect(await world.list({}, [[{ field: 'text', op: 'eq', value: 'none such' }]])).toEqual({
      items: [],
      hasMore: false,
      nextCursor: null,
    });
  });

  it('leaves out the notes of other projects', async () => {
    await world.write('theirs', 'prj_other');
    const mine = await world.write('mine');
    expect(idsOf(await world.list())).toEqual([mine]);
  });
});

describe('a bare id as a cursor', () => {
  it('stands for the row of that id, also when it has left the list', async () => {
    const ids = await writeNotes(5);
    expect(idsOf(await world.list({ startingAfter: ids[3]! }))).toEqual([ids[2], ids[1], ids[0]]);
    await world.throwAway(ids[3]!);
    expect(idsOf(await world.list({ startingAfter: ids[3]! }))).toEqual([ids[2], ids[1], ids[0]]);
    expect(idsOf(await world.list({ endingBefore: ids[3]! }))).toEqual([ids[4]]);
  });

  it('stands for its time when it is unknown or of another project, and tells neither apart', async () => {
    const before = await writeNotes(3);
    world.clock.set(world.clock.now() + 10);
    const theirs = await world.write('theirs', 'prj_other');
    const nobodys = world.ids.next('customer');
    world.clock.set(world.clock.now() + 10);
    const after = await writeNotes(2);
    for (const startingAfter of [theirs, nobodys]) {
      expect(idsOf(await world.list({ startingAfter }))).toEqual(before.toReversed());
      expect(idsOf(await world.list({ startingAfter, order: 'asc' }))).toEqual(after);
    }
  });

  it('loses no row of its own millisecond when only its time is known, and has none of the next again', async () => {
    const [id] = await writeNotes(1);
    const nobodys = world.ids.next('customer', world.clock.now() - 1);
    const [later] = await writeNotes(1);
    expect(idsOf(await world.list({ startingAfter: nobodys }))).toEqual([id]);
    expect(idsOf(await world.list({ startingAfter: nobodys, order: 'asc' }))).toEqual([id, later]);
  });

  it('is refused when it is of another kind or no id at all', async () => {
    for (const text of [NOBODY.replace('cust_', 'conv_'), 'cust_123', '', 'cur_', 'cur_AAAA', 'x'.repeat(5_000)]) {
      expect(await refusal({ startingAfter: text })).toMatchObject({
        code: 'cursor_invalid',
        details: { param: 'starting_after' },
      });
      expect(await refusal({ endingBefore: text })).toMatchObject({
        code: 'cursor_invalid',
        details: { param: 'ending_before' },
      });
    }
  });
});

describe('a token', () => {
  it('is refused however it is altered', async () => {
    await writeNotes(3);
    const { nextCursor } = await world.list({ limit: 1 });
    const token = nextCursor!;
    await fc.assert(
      fc.asyncProperty(
        fc.nat(token.length - 1),
        fc.string({ minLength: 0, maxLength: 2, unit: 'grapheme-ascii' }),
        async (at, other) => {
          const altered = token.slice(0, at) + other + token.slice(at + 1);
          fc.pre(altered !== token);
          expect(await refusal({ startingAfter: altered })).toMatchObject({ code: 'cursor_invalid' });
        },
      ),
    );
  });
});

describe('ending_before', () => {
  it('gives the page before, still in list order, and says whether more lie further back', async () => {
    const ids = (await writeNotes(6)).toReversed();
    const page = await world.list({ endingBefore: ids[4]!, limit: 2 });
    expect(idsOf(page)).toEqual([ids[2], ids[3]]);
    expect(page.hasMore).toBe(true);
    expect(idsOf(await world.list({ startingAfter: page.nextCursor }))).toEqual([ids[4], ids[5]]);
    const first = await world.list({ endingBefore: ids[2]!, limit: 2 });
    expect(idsOf(first)).toEqual([ids[0], ids[1]]);
    expect(first.hasMore).toBe(false);
    expect(await world.list({ endingBefore: ids[0]! })).toEqual({ items: [], hasMore: false, nextCursor: null });
  });
});

describe('one row', () => {
  it('is as fresh as a list, marked ones included, and nobody sees those of others', async () => {
    const [id] = await writeNotes(1);
    const ask = (projectId: string, asked: string) => world.rows.execute(new GetRow(notesProjection as never, projectId, asked));
    await world.throwAway(id!);
    expect(await ask(NOTES_PROJECT, id!)).toMatchObject({ id, deleted: true });
    expect(await ask('prj_other', id!)).toBeNull();
    expect(await ask(NOTES_PROJECT, NOBODY)).toBeNull();
  });
});

describe('a walk', () => {
  it('visits every row that was there and stayed exactly once, whatever happens meanwhile', async () => {
    const step = fc.record({
      writes: fc.nat(4),
      drops: fc.array(fc.nat(1_000), { maxLength: 3 }),
      clock: fc.constantFrom(0, 1, 50, -1, -3_600_000),
    });
    const walk = fc.record({
      limit: fc.constantFrom(1, 2, 3, 7, 20),
      order: fc.constantFrom('desc' as const, 'asc' as const),
      backwards: fc.boolean(),
      bareIds: fc.boolean(),
      steps: fc.array(step, { minLength: 1, maxLength: 12 }),
    });
    await fc.assert(
      fc.asyncProperty(walk, async ({ limit, order, backwards, bareIds, steps }) => {
        const project = world.ids.next('project');
        const shelf = new Shelf(project);
        await shelf.write(15);
        const before = [...shelf.written];
        const end = backwards ? last(await world.list({ order, limit: 100 }, [], project)) : null;
        const seen = end ? [end] : [];
        for (let at = end, turn = 0; ; turn++) {
          const page = await world.list(
            { order, limit, ...(backwards ? { endingBefore: at } : { startingAfter: at }) },
            [],
            project,
          );
          seen.push(...idsOf(page));
          if (!page.hasMore) break;
          at = backwards ? idsOf(page)[0]! : bareIds ? last(page) : page.nextCursor;
          if (turn < 20) await shelf.change(steps[turn % steps.length]!);
        }
        expect(new Set(seen).size).toBe(seen.length);
        expect(before.filter((id) => !shelf.thrownAway.has(id) && !seen.includes(id))).toEqual([]);
      }),
      { numRuns: 30 },
    );
  }, 60_000);
});

interface Change {
  readonly writes: number;
  readonly drops: readonly number[];
  readonly clock: number;
}

/** The notes of one project while they are read concurrently. */
class Shelf {
  readonly written: string[] = [];
  readonly thrownAway = new Set<string>();

  constructor(private readonly project: string) {}

  async write(count: number): Promise<void> {
    const texts = Array.from({ length: count }, () => world.write('a note', this.project));
    this.written.push(...(await Promise.all(texts)));
  }

  async change({ writes, drops, clock }: Change): Promise<void> {
    world.clock.set(world.clock.now() + clock);
    await this.write(writes);
    const dropped = new Set(drops.map((drop) => this.written[drop % this.written.length]!));
    const fresh = [...dropped].filter((id) => !this.thrownAway.has(id));
    await Promise.all(fresh.map((id) => world.throwAway(id)));
    fresh.forEach((id) => this.thrownAway.add(id));
  }
}

function last(page: Page<StoredRow>): string | null {
  return idsOf(page).at(-1) ?? null;
}
