import type { FakeClock } from '@testing/fake-clock';
import { START, StoreUnavailable } from '../event-store.port.js';
import { RowsRefused, type ReadModels } from '../read-models.port.js';
import { collection, idsOf, logUpTo, position, row, rowsOf } from './note-rows.js';
import { PATIENCE_MS, twoInstances } from './instance-cases.js';
import { dueContract } from './read-model-due.contract.js';
import { listContract } from './read-model-lists.contract.js';
import { lookContract } from './read-model-looks.contract.js';
import { pageContract } from './read-model-pages.contract.js';
import { readModelsInstanceCases } from './read-models-instances.contract.js';
import { rebuildContract } from './read-model-rebuild.contract.js';
import { scanContract } from './read-model-scans.contract.js';
import { sharedContract } from './read-model-shared.contract.js';
import { textContract } from './read-model-texts.contract.js';

export interface ReadModelsUnderTest {
  readonly readModels: ReadModels;
  readonly clock: FakeClock;
  /** A second instance over the same rows, as in another process. `close` closes it too. */
  another(): Promise<ReadModels>;
  close(): Promise<void>;
}

export function readModelsContract(name: string, make: () => Promise<ReadModelsUnderTest>): void {
  describe(`${name} keeps the promises of ReadModels`, () => {
    let readModels: ReadModels;
    let clock: FakeClock;
    let under: ReadModelsUnderTest;

    beforeAll(async () => {
      under = await make();
      ({ readModels, clock } = under);
    });
    afterAll(() => under.close());

    describe('a collection', () => {
      it('may be defined again and again without losing anything', async () => {
        const schema = collection();
        await readModels.define(schema);
        await readModels.apply(schema.name, [row('a', 1)], position(1));
        await readModels.define(schema);
        expect(await readModels.checkpoint(schema.name)).toBe(position(1));
        expect(idsOf(await readModels.getMany(schema.name, ['a']))).toEqual(['a']);
      });

      it('begins without rows at the start', async () => {
        const schema = collection();
        await readModels.define(schema);
        expect(await readModels.checkpoint(schema.name)).toBe(START);
        expect(await readModels.getMany(schema.name, ['a'])).toEqual([null]);
      });

      it('is none that is only expected, and can be read by its schema once it is defined', async () => {
        const schema = collection();
        expect(await readModels.expect(schema)).toBe('none');
        await expect(readModels.checkpoint(schema.name)).rejects.toThrow(StoreUnavailable);
        await readModels.define(schema);
        await readModels.apply(schema.name, [row('a', 1)], position(1));
        expect(await readModels.expect(schema)).toBe('same');
        expect(await readModels.checkpoint(schema.name)).toBe(position(1));
        const [raised, narrowed] = [
          { ...schema, version: schema.version + 1 },
          { ...schema, filterFields: [] },
        ];
        for (const other of [raised, narrowed]) {
          expect(await readModels.expect(other)).toBe('other');
          await expect(readModels.getMany(schema.name, ['a'])).rejects.toThrow(StoreUnavailable);
        }
        expect(await readModels.expect(schema)).toBe('same');
        expect(idsOf(await readModels.getMany(schema.name, ['a']))).toEqual(['a']);
      });

      it('that the store has not taken yet is out of reach, not unknown', async () => {
        const { name: undefinedYet } = collection();
        const query = { projectId: 'p', filter: [], order: 'asc', limit: 9 } as const;
        await expect(readModels.reached(undefinedYet, START, 0)).rejects.toThrow(StoreUnavailable);
        await expect(readModels.list(undefinedYet, query)).rejects.toThrow(StoreUnavailable);
        await expect(readModels.getMany(undefinedYet, ['a'])).rejects.toThrow(StoreUnavailable);
      });

      it('starts again from empty when its fields change', async () => {
        const schema = collection();
        await readModels.define(schema);
        await readModels.apply(schema.name, [row('a', 1)], position(1));
        await readModels.define({ ...schema, filterFields: ['customerId'] });
        expect(await readModels.checkpoint(schema.name)).toBe(START);
        expect(await readModels.getMany(schema.name, ['a'])).toEqual([null]);
        await readModels.apply(schema.name, [row('b', 2)], position(2));
        const filter = [[{ field: 'customerId', op: 'eq', value: 'c1' }]] as const;
        const query = { projectId: 'p', filter, order: 'asc', limit: 9 } as const;
        expect(idsOf(await readModels.page(schema.name, query))).toEqual(['b']);
      });

      it('is restored once it is as far as the log was when it was begun, and counts as there from then on', async () => {
        const schema = collection();
        await readModels.define(schema, { log: logUpTo(3) });
        await readModels.apply(schema.name, [row('a', 1)], position(2));
        await readModels.define(schema, { log: logUpTo(9) });
        expect(await readModels.isRestored(schema.name)).toBe(false);
        expect(await readModels.reached(schema.name, position(1), 0)).toBe(false);
        const reached = readModels.reached(schema.name, position(1), 60_000);
        await readModels.apply(schema.name, [], position(3));
        expect(await reached).toBe(true);
        expect(await readModels.isRestored(schema.name)).toBe(true);
      });

      it('of an empty log is restored at once', async () => {
        const schema = collection();
        await readModels.define(schema, { log: logUpTo(0) });
        expect(await readModels.isRestored(schema.name)).toBe(true);
      });

      it('that takes the place of an older one is restored once it is as far as the log was then', async () => {
        const schema = collection();
        await readModels.define(schema);
        expect(await readModels.isRestored(schema.name)).toBe(true);
        await readModels.apply(schema.name, [row('a', 1)], position(3));
        for (const version of [schema.version + 1, schema.version + 2]) {
          await readModels.define({ ...schema, version }, { log: logUpTo(3) });
          await readModels.apply(schema.name, [row('a', 1)], position(2));
          expect(await readModels.isRestored(schema.name)).toBe(false);
        }
        await readModels.apply(schema.name, [], position(3));
        expect(await readModels.isRestored(schema.name)).toBe(true);
      });

      it('that is ahead of its log begins without rows, and is restored once it is as far as that log was', async () => {
        const schema = collection();
        await readModels.define(schema, { log: logUpTo(3) });
        await readModels.apply(schema.name, rowsOf(1, 9), position(9));
        await readModels.define(schema, { log: logUpTo(5) });
        expect(await readModels.checkpoint(schema.name)).toBe(START);
        expect(await readModels.getMany(schema.name, ['n1', 'n9'])).toEqual([null, null]);
        await readModels.apply(schema.name, rowsOf(1, 4), position(4));
        expect(await readModels.isRestored(schema.name)).toBe(false);
        await readModels.apply(schema.name, [row('n5', 5)], position(5));
        expect(await readModels.isRestored(schema.name)).toBe(true);
      });

      it('stays where its log ends with an event that no feed tells', async () => {
        const schema = collection();
        await readModels.define(schema);
        await readModels.apply(schema.name, [row('a', 1)], position(4));
        await readModels.define(schema, { log: logUpTo(1, 'log', 4) });
        expect(await readModels.checkpoint(schema.name)).toBe(position(4));
      });
    });

    describe('applying', () => {
      const schema = collection();
      beforeAll(() => readModels.define(schema));
      const apply = (rows: readonly ReturnType<typeof row>[], at: number) => readModels.apply(schema.name, rows, position(at));

      it('keeps rows whole, in the order asked for, and null for unknown ones', async () => {
        const rows = [
          row('k1', 1, { title: 'ä " \u2028 \ud83d\ude00', nested: { list: [1, null, { deep: true }] }, 'odd.key$': '{"a":1}' }),
          row('k2', 2, { customerId: null }),
        ];
        await apply(rows, 2);
        const [second, none, first] = await readModels.getMany(schema.name, ['k2', 'nobody', 'k1']);
        expect(none).toBeNull();
        expect(JSON.stringify([first, second])).toBe(JSON.stringify(rows));
      });

      it('refuses what it can never store, and takes the others without it', async () => {
        const endless: Record<string, unknown> = {};
        endless['self'] = endless;
        const before = await readModels.checkpoint(schema.name);
        const refused = apply([row('sound', 3), row('endless', 4, endless)], 4);
        await expect(refused).rejects.toBeInstanceOf(RowsRefused);
        expect(await readModels.getMany(schema.name, ['sound', 'endless'])).toEqual([null, null]);
        expect(await readModels.checkpoint(schema.name)).toBe(before);
        await apply([row('sound', 3)], 4);
        expect(idsOf(await readModels.getMany(schema.name, ['sound', 'endless']))).toEqual(['sound', 'none']);
      });

      it('replaces a row by a newer one', async () => {
        await apply([row('n', 10)], 10);
        await apply([{ ...row('n', 10, { title: 'newer' }), position: position(11) }], 11);
        const [found] = await readModels.getMany(schema.name, ['n']);
        expect(found).toMatchObject({ position: position(11), sortId: position(10), row: { title: 'newer' } });
      });

      it('leaves a row alone whose position is the same or newer', async () => {
        await apply([row('o', 20, { title: 'kept' })], 20);
        await apply([row('o', 20, { title: 'same' })], 20);
        await apply([{ ...row('o', 20, { title: 'older' }), position: position(19) }], 20);
        expect((await readModels.getMany(schema.name, ['o']))[0]?.row).toMatchObject({ title: 'kept' });
      });

      it('changes nothing when any prefix is applied again', async () => {
        const steps = [
          [row('x', 31), row('y', 32)],
          [{ ...row('x', 31, { status: 'ended' }), position: position(33) }],
          [{ ...row('y', 32), position: position(34), deleted: true }],
        ];
        const run = async (count: number) => {
          for (const [index, rows] of steps.slice(0, count).entries()) await apply(rows, 32 + index);
        };
        await run(3);
        const before = JSON.stringify(await readModels.getMany(schema.name, ['x', 'y']));
        for (const count of [1, 2, 3]) {
          await run(count);
          expect(JSON.stringify(await readModels.getMany(schema.name, ['x', 'y']))).toBe(before);
          expect(await readModels.checkpoint(schema.name)).toBe(position(34));
        }
      });

      it('moves the checkpoint on, without rows too, and never back', async () => {
        await apply([], 50);
        expect(await readModels.checkpoint(schema.name)).toBe(position(50));
        await apply([row('late', 49)], 49);
        expect(await readModels.checkpoint(schema.name)).toBe(position(50));
        expect(idsOf(await readModels.getMany(schema.name, ['late']))).toEqual(['late']);
      });

      it('takes many rows at once', async () => {
        const rows = Array.from({ length: 2000 }, (_, index) => row(`many-${index}`, 1000 + index));
        await apply(rows, 3000);
        const found = await readModels.getMany(
          schema.name,
          rows.map(({ id }) => id),
        );
        expect(found.every((each, index) => each?.id === rows[index]?.id)).toBe(true);
      });

      it('keeps a marked row readable by id, with its mark and guard', async () => {
        await apply([row('m', 4000)], 4000);
        await apply([{ ...row('m', 4000), position: position(4001), deleted: true }], 4001);
        await apply([row('m', 4000, { title: 'again' })], 4001);
        expect((await readModels.getMany(schema.name, ['m']))[0]).toMatchObject({ deleted: true, position: position(4001) });
      });
    });

    describe('waiting for a checkpoint', () => {
      const schema = collection();
      beforeAll(() => readModels.define(schema));
      const apply = (at: number) => readModels.apply(schema.name, rowsOf(at, at), position(at));

      it('tells at once when it is there', async () => {
        await apply(5);
        expect(await readModels.reached(schema.name, position(5), 0)).toBe(true);
        expect(await readModels.reached(schema.name, START, 0)).toBe(true);
        expect(await readModels.reached(schema.name, position(6), 0)).toBe(false);
      });

      it('tells when it comes, and the rows are there then', async () => {
        const reached = readModels.reached(schema.name, position(10), 60_000);
        await apply(9);
        await apply(10);
        expect(await reached).toBe(true);
        expect(idsOf(await readModels.getMany(schema.name, ['n10']))).toEqual(['n10']);
      });

      it('tells of a step without rows only when the rows of those before it are there', async () => {
        const [applying, passing] = [apply(20), readModels.apply(schema.name, [], position(21))];
        expect(await readModels.reached(schema.name, position(21), 60_000)).toBe(true);
        expect(idsOf(await readModels.getMany(schema.name, ['n20']))).toEqual(['n20']);
        await Promise.all([applying, passing]);
      });

      it('gives up in time', async () => {
        const reached = readModels.reached(schema.name, position(99), 2000);
        await clock.advance(2000);
        expect(await reached).toBe(false);
      });
    });

    dueContract(() => readModels);
    scanContract(() => readModels);
    pageContract(() => readModels);
    listContract(() => readModels);
    lookContract(() => readModels);
    textContract(() => readModels);
    rebuildContract(() => readModels);
    sharedContract(() => readModels);
    twoInstances(readModelsInstanceCases, async () => {
      return { one: readModels, other: await under.another(), clock, patienceMs: PATIENCE_MS };
    });
  });
}
