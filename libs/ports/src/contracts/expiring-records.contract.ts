import type { FakeClock } from '@testing/fake-clock';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import type { ExpiringRecords } from '../expiring-records.port.js';
import { expiringRecordsInstanceCases } from './expiring-records-instances.contract.js';
import { twoInstances } from './instance-cases.js';

const MINUTE = 60_000;

export interface ExpiringRecordsUnderTest {
  readonly records: ExpiringRecords;
  readonly clock: FakeClock;
  /** A second instance over the same records, as in another process. `close` closes it too. */
  another(): Promise<ExpiringRecords>;
  close(): Promise<void>;
}

export function expiringRecordsContract(name: string, make: () => Promise<ExpiringRecordsUnderTest>): void {
  describe(`${name} keeps the promises of ExpiringRecords`, () => {
    let records: ExpiringRecords;
    let clock: FakeClock;
    let under: ExpiringRecordsUnderTest;

    beforeAll(async () => {
      under = await make();
      ({ records, clock } = under);
    });
    afterAll(() => under.close());

    const soon = (): number => clock.now() + MINUTE;
    const made = async (value = 'one', expiresAt = soon()) => {
      const key = randomUUID();
      const { record } = await records.create(key, value, expiresAt);
      return { key, ...record };
    };

    describe('creating', () => {
      it('creates a record under a free key', async () => {
        const key = randomUUID();
        const expiresAt = soon();
        const { created, record } = await records.create(key, 'one', expiresAt);
        expect(created).toBe(true);
        expect(record).toMatchObject({ value: 'one', expiresAt });
        expect(await records.get(key)).toEqual(record);
      });

      it('tells the living record that holds the key', async () => {
        const { key, ...holder } = await made();
        const { created, record } = await records.create(key, 'two', soon());
        expect(created).toBe(false);
        expect(record).toEqual(holder);
        expect((await records.get(key))?.value).toBe('one');
      });

      it('lets exactly one of several callers create, and tells the others its record', async () => {
        const key = randomUUID();
        const outcomes = await Promise.all(Array.from({ length: 32 }, (_, index) => records.create(key, String(index), soon())));
        const winners = outcomes.filter(({ created }) => created);
        expect(winners).toHaveLength(1);
        for (const { record } of outcomes) expect(record).toEqual(winners[0]?.record);
      });

      it('takes the place of an expired record', async () => {
        const { key, version, expiresAt } = await made();
        await clock.advance(expiresAt - clock.now());
        const { created, record } = await records.create(key, 'two', soon());
        expect(created).toBe(true);
        expect(record.version).not.toBe(version);
        expect((await records.get(key))?.value).toBe('two');
      });

      it('keeps any text, keys of any sort', async () => {
        const key = `ключ "'\\ ${randomUUID()}`;
        const value = JSON.stringify({ text: '\u2028 \ud83d\ude00 "\'', long: 'x'.repeat(70_000) });
        await records.create(key, value, soon());
        expect((await records.get(key))?.value).toBe(value);
      });
    });

    describe('expiry', () => {
      it('is exact to the millisecond', async () => {
        const { key, expiresAt } = await made();
        await clock.advance(expiresAt - clock.now() - 1);
        expect(await records.get(key)).not.toBeNull();
        await clock.advance(1);
        expect(await records.get(key)).toBeNull();
      });

      it('leaves nothing to replace or remove', async () => {
        const { key, version, expiresAt } = await made();
        await clock.advance(expiresAt - clock.now());
        expect(await records.replace(key, version, 'two', soon())).toBeNull();
        expect(await records.remove(key, version)).toBe(false);
        expect(await records.get(key)).toBeNull();
      });

      it('does not touch records that live longer', async () => {
        const { key } = await made('long', clock.now() + 24 * 60 * MINUTE);
        await clock.advance(23 * 60 * MINUTE);
        expect((await records.get(key))?.value).toBe('long');
      });
    });

    it('an unknown key has no record', async () => {
      const key = randomUUID();
      expect(await records.get(key)).toBeNull();
      expect(await records.replace(key, '1', 'x', soon())).toBeNull();
      expect(await records.remove(key, '1')).toBe(false);
    });

    describe('replacing', () => {
      it('needs the version and changes it', async () => {
        const { key, version } = await made();
        const expiresAt = soon() + 5;
        const replaced = await records.replace(key, version, 'two', expiresAt);
        expect(replaced).toMatchObject({ value: 'two', expiresAt });
        expect(replaced?.version).not.toBe(version);
        expect(await records.get(key)).toEqual(replaced);
      });

      it('tells when the record moved on and leaves it', async () => {
        const { key, version } = await made();
        await records.replace(key, version, 'two', soon());
        expect(await records.replace(key, version, 'three', soon())).toBeNull();
        expect((await records.get(key))?.value).toBe('two');
      });

      it('lets exactly one of several callers replace a version', async () => {
        const { key, version } = await made();
        const outcomes = await Promise.all(
          Array.from({ length: 16 }, (_, index) => records.replace(key, version, `new ${index}`, soon())),
        );
        const winners = outcomes.filter((record) => record !== null);
        expect(winners).toHaveLength(1);
        expect(await records.get(key)).toEqual(winners[0]);
      });

      it('moves the expiry', async () => {
        const { key, version, expiresAt } = await made();
        await records.replace(key, version, 'two', expiresAt + MINUTE);
        await clock.advance(expiresAt - clock.now());
        expect((await records.get(key))?.value).toBe('two');
        await clock.advance(MINUTE);
        expect(await records.get(key)).toBeNull();
      });
    });

    describe('removing', () => {
      it('needs the version and frees the key', async () => {
        const { key, version } = await made();
        expect(await records.remove(key, `${version}0`)).toBe(false);
        expect(await records.remove(key, version)).toBe(true);
        expect(await records.get(key)).toBeNull();
        const again = await records.create(key, 'two', soon());
        expect(again.created).toBe(true);
        expect(again.record.version).not.toBe(version);
      });

      it('happens once', async () => {
        const { key, version } = await made();
        const outcomes = await Promise.all([1, 2, 3].map(() => records.remove(key, version)));
        expect(outcomes.filter(Boolean)).toHaveLength(1);
      });
    });

    twoInstances(expiringRecordsInstanceCases, async () => ({ one: records, other: await under.another(), clock }));

    it('law: a record behaves like one cell, whatever is asked of it in whatever order', async () => {
      const action = fc.oneof(
        fc.record({ kind: fc.constant('create' as const), ttl: fc.integer({ min: 1, max: 50 }) }),
        fc.record({ kind: fc.constantFrom('replace' as const, 'remove' as const), ttl: fc.integer({ min: 1, max: 50 }) }),
        fc.record({ kind: fc.constant('wait' as const), ttl: fc.integer({ min: 1, max: 40 }) }),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(action, { maxLength: 25 }), async (actions) => {
          const key = randomUUID();
          let model: { value: string; version: string; expiresAt: number } | null = null;
          for (const [index, { kind, ttl }] of actions.entries()) {
            if (kind === 'wait') await clock.advance(ttl);
            if (model && model.expiresAt <= clock.now()) model = null;
            const expiresAt = clock.now() + ttl;
            if (kind === 'create') {
              const { created, record } = await records.create(key, String(index), expiresAt);
              expect(created).toBe(model === null);
              if (model) expect(record).toEqual(model);
              model = record;
            } else if (kind === 'replace') {
              const replaced = await records.replace(key, model?.version ?? 'none', String(index), expiresAt);
              expect(replaced === null).toBe(model === null);
              model = replaced;
            } else if (kind === 'remove') {
              expect(await records.remove(key, model?.version ?? 'none')).toBe(model !== null);
              model = null;
            }
            expect(await records.get(key)).toEqual(model);
          }
        }),
        { numRuns: 30 },
      );
    });
  });
}
