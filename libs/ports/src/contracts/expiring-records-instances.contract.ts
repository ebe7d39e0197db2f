import type { FakeClock } from '@testing/fake-clock';
import { randomUUID } from 'node:crypto';
import type { ExpiringRecords } from '../expiring-records.port.js';
import type { InstanceCases } from './instance-cases.js';

const MINUTE = 60_000;

export interface TwoRecords {
  readonly one: ExpiringRecords;
  readonly other: ExpiringRecords;
  readonly clock: FakeClock;
}

export const expiringRecordsInstanceCases: InstanceCases<TwoRecords> = {
  'creates a record or is told the one that the other created': async ({ one, other, clock }) => {
    const key = randomUUID();
    const racers = Array.from({ length: 32 }, (_, index) => [one, other][index % 2] ?? one);
    const outcomes = await Promise.all(racers.map((records, index) => records.create(key, `${index}`, clock.now() + MINUTE)));
    const winners = outcomes.filter(({ created }) => created);
    expect(winners).toHaveLength(1);
    for (const { record } of outcomes) expect(record).toEqual(winners[0]?.record);
    expect([await one.get(key), await other.get(key)]).toEqual([winners[0]?.record, winners[0]?.record]);
  },

  'sees what another created, also under a key that it found free': async ({ one, other, clock }) => {
    const key = randomUUID();
    expect(await other.get(key)).toBeNull();
    const { record } = await one.create(key, 'one', clock.now() + MINUTE);
    expect(await other.get(key)).toEqual(record);
    expect(await other.create(key, 'two', clock.now() + MINUTE)).toEqual({ created: false, record });
  },

  'replaces the version that another wrote, and none that another has replaced': async ({ one, other, clock }) => {
    const key = randomUUID();
    const { record } = await one.create(key, 'one', clock.now() + MINUTE);
    const replaced = await other.replace(key, record.version, 'two', clock.now() + MINUTE);
    expect(replaced).toMatchObject({ value: 'two' });
    expect(await one.get(key)).toEqual(replaced);
    expect(await one.replace(key, record.version, 'three', clock.now() + MINUTE)).toBeNull();
    expect((await other.get(key))?.value).toBe('two');
  },

  'replaces a version alone of all who try': async ({ one, other, clock }) => {
    const key = randomUUID();
    const { record } = await one.create(key, 'one', clock.now() + MINUTE);
    const racers = Array.from({ length: 16 }, (_, index) => [one, other][index % 2] ?? one);
    const outcomes = await Promise.all(
      racers.map((records, index) => records.replace(key, record.version, `new ${index}`, clock.now() + MINUTE)),
    );
    const winners = outcomes.filter((outcome) => outcome !== null);
    expect(winners).toHaveLength(1);
    expect([await one.get(key), await other.get(key)]).toEqual([winners[0], winners[0]]);
  },

  'removes the version that another wrote, and none that another has replaced or removed': async ({ one, other, clock }) => {
    const key = randomUUID();
    const { record } = await one.create(key, 'one', clock.now() + MINUTE);
    expect(await other.get(key)).toEqual(record);
    const replaced = await one.replace(key, record.version, 'two', clock.now() + MINUTE);
    expect(await other.remove(key, record.version)).toBe(false);
    expect(await other.remove(key, replaced?.version ?? '')).toBe(true);
    expect(await one.get(key)).toBeNull();
    expect(await one.remove(key, replaced?.version ?? '')).toBe(false);
    const again = await one.create(key, 'three', clock.now() + MINUTE);
    expect(again.created).toBe(true);
    expect([record.version, replaced?.version]).not.toContain(again.record.version);
  },

  'takes the place of a record of another that has expired': async ({ one, other, clock }) => {
    const key = randomUUID();
    const { record } = await one.create(key, 'one', clock.now() + MINUTE);
    const renewed = await one.replace(key, record.version, 'two', clock.now() + 2 * MINUTE);
    await clock.advance(MINUTE);
    expect(await other.get(key)).toEqual(renewed);
    await clock.advance(MINUTE);
    expect(await other.get(key)).toBeNull();
    expect((await other.create(key, 'three', clock.now() + MINUTE)).created).toBe(true);
    expect((await one.get(key))?.value).toBe('three');
  },
};
