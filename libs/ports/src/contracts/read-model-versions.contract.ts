import { StoreUnavailable } from '../event-store.port.js';
import type { CollectionSchema, ReadModels } from '../read-models.port.js';
import { collection, collectionWithShared, idsOf, position, row } from './note-rows.js';

export interface SharedStoreUnderTest {
  /** Two processes' read models over one store. */
  readonly one: ReadModels;
  readonly other: ReadModels;
  /** Epoch milliseconds, by which use is noted. */
  now(): number;
  close(): Promise<void>;
}

const raised = (schema: CollectionSchema, by = 1): CollectionSchema => ({ ...schema, version: schema.version + by });

/** What a store that processes share promises of rows of several versions. */
export function versionsContract(name: string, make: () => Promise<SharedStoreUnderTest>): void {
  describe(`${name} keeps rows of each version`, () => {
    let under: SharedStoreUnderTest;
    let one: ReadModels;
    let other: ReadModels;
    beforeAll(async () => {
      under = await make();
      ({ one, other } = under);
    });
    afterAll(() => under.close());

    /** Rows `a` of the version in `one`, `b` of the next one in `other`. */
    async function both(schema = collection()): Promise<CollectionSchema> {
      await one.define(schema);
      await one.apply(schema.name, [row('a', 1)], position(1));
      expect(await other.expect(raised(schema))).toBe('other');
      await other.define(raised(schema));
      await other.apply(schema.name, [row('b', 2)], position(2));
      return schema;
    }

    it('side by side, each for the processes of its own', async () => {
      const { name: notes } = await both();
      await one.apply(notes, [row('c', 3)], position(3));
      expect(idsOf(await one.getMany(notes, ['a', 'b', 'c']))).toEqual(['a', 'none', 'c']);
      expect(idsOf(await other.getMany(notes, ['a', 'b', 'c']))).toEqual(['none', 'b', 'none']);
      expect([await one.checkpoint(notes), await other.checkpoint(notes)]).toEqual([position(3), position(2)]);
    });

    it('of which each is rebuilt alone', async () => {
      const { name: notes } = await both();
      const rebuild = await other.rebuild(notes);
      expect([await one.isRebuilding(notes), await other.isRebuilding(notes)]).toEqual([false, true]);
      await rebuild.apply([row('d', 4)], position(4));
      await rebuild.switchOver();
      expect(idsOf(await one.getMany(notes, ['a', 'd']))).toEqual(['a', 'none']);
      expect(idsOf(await other.getMany(notes, ['b', 'd']))).toEqual(['none', 'd']);
    });

    it('that are there for an older program too, which begins its own beside the newer ones', async () => {
      const schema = raised(collection());
      await one.define(schema);
      await one.apply(schema.name, [row('a', 1)], position(1));
      const older = raised(schema, -1);
      await other.define(older);
      expect(await other.getMany(older.name, ['a'])).toEqual([null]);
      expect(idsOf(await one.getMany(schema.name, ['a']))).toEqual(['a']);
    });

    it('and tells of all that are stored', async () => {
      const schema = await both();
      const stored = (await one.stored()).filter(({ name: each }) => each === schema.name);
      expect(stored).toMatchObject([
        { version: schema.version, checkpoint: position(1), rows: 1 },
        { version: schema.version + 1, checkpoint: position(2), rows: 1 },
      ]);
    });

    it('until no process has noted their use for long enough, shared ones too', async () => {
      const schema = await both(collectionWithShared());
      const { name: notes } = schema;
      const before = under.now();
      await one.noteUse();
      const dropped = async (unusedSince: number) => (await other.dropUnused(unusedSince)).filter((each) => each.name === notes);
      expect(await dropped(before - 1_000)).toEqual([]);
      expect(idsOf(await one.getMany(notes, ['a']))).toEqual(['a']);
      expect(await dropped(under.now() + 1_000)).toEqual([{ name: notes, version: schema.version }]);
      await expect(one.getMany(notes, ['a'])).rejects.toThrow(StoreUnavailable);
      expect(idsOf(await other.getMany(notes, ['b']))).toEqual(['b']);
      expect(await dropped(under.now() + 1_000)).toEqual([]);
      await one.define(schema);
      expect(await one.getMany(notes, ['a'])).toEqual([null]);
    });
  });
}
