import { Logger } from '@nestjs/common';
import type { ExpiringRecord } from '@ports/expiring-records.port';
import { FakeClock } from '@testing/fake-clock';
import { FakeExpiringRecords } from '@testing/fake-expiring-records';
import { instancesOn } from '@testing/instances-on';
import type { Processes } from '@testing/fake-engine';
import type { InstanceRegistry } from './instance-registry.js';
import { livingInstances, type InstanceRole, type LivingInstance } from './living-instances.js';

Logger.overrideLogger(false);

let clock: FakeClock;
let stored: Map<string, ExpiringRecord>;
beforeEach(() => {
  clock = new FakeClock();
  stored = new Map();
});

/** A process that has started, and its connection to the records. */
async function started(role: InstanceRole = 'gateway', processes: Processes = 'several', version?: string) {
  const records = new FakeExpiringRecords(clock, stored);
  const registry = instancesOn(records, clock, processes, role, version);
  await registry.onModuleInit();
  return { records, registry };
}

/** Whether the first counts the second as gone. */
async function missing(one: InstanceRegistry, other: InstanceRegistry): Promise<boolean> {
  return (await one.gone([other.id])).has(other.id);
}

describe('a process among others', () => {
  it('is alive for as long as it runs', async () => {
    const [one, other] = [await started(), await started()];
    for (let seconds = 0; seconds < 60; seconds++) {
      await clock.advance(1_000);
      expect([await missing(one.registry, other.registry), await missing(other.registry, one.registry)]).toEqual([false, false]);
    }
    expect([...stored.keys()]).toEqual(['instances']);
  });

  it('is gone six seconds after it was heard of last, for every other one', async () => {
    const [one, other] = [await started(), await started()];
    await clock.advance(10_000);
    other.records.away = true;
    await clock.advance(5_999);
    expect(await missing(one.registry, other.registry)).toBe(false);
    await clock.advance(1);
    expect(await missing(one.registry, other.registry)).toBe(true);
  });

  it('is gone as soon as it has ended', async () => {
    const [one, other] = [await started(), await started()];
    await clock.advance(10_000);
    await other.registry.onApplicationShutdown();
    expect(await missing(one.registry, other.registry)).toBe(true);
    await one.registry.onApplicationShutdown();
    expect([stored.size, clock.pending]).toEqual([0, 0]);
  });

  it('counts itself as gone: what it does not have in memory it will not finish', async () => {
    const { registry } = await started();
    expect(await registry.gone([registry.id])).toEqual(new Set([registry.id]));
  });

  it('judges nobody before the records have answered for six seconds, after its start and after they were away', async () => {
    const other = await started();
    other.records.away = true;
    await clock.advance(6_000);
    const one = await started();
    await clock.advance(5_999);
    expect(await missing(one.registry, other.registry)).toBe(false);
    await clock.advance(1);
    expect(await missing(one.registry, other.registry)).toBe(true);
    one.records.away = true;
    await clock.advance(2_000);
    expect(await missing(one.registry, other.registry)).toBe(false);
    one.records.away = false;
    await clock.advance(2_000 + 5_999);
    expect(await missing(one.registry, other.registry)).toBe(false);
    await clock.advance(1);
    expect(await missing(one.registry, other.registry)).toBe(true);
  });

  it('judges nobody when it was stopped itself for longer than a lease', async () => {
    const [one, other] = [await started(), await started()];
    await clock.advance(10_000);
    other.records.away = true;
    clock.elapse(60_000);
    expect(await missing(one.registry, other.registry)).toBe(false);
  });

  it('keeps its lease when the answer to a renewal is lost', async () => {
    const [one, other] = [await started(), await started()];
    other.records.refusing = true;
    await clock.advance(20_000);
    expect(await missing(one.registry, other.registry)).toBe(false);
  });

  it('starts though the records are away, and stands in them once they are back', async () => {
    const records = new FakeExpiringRecords(clock, stored);
    records.away = true;
    const late = instancesOn(records, clock);
    await late.onModuleInit();
    expect(late.recordsAreAway).toBe(true);
    const { registry } = await started();
    records.away = false;
    await clock.advance(6_000);
    expect([late.recordsAreAway, await missing(registry, late)]).toEqual([false, false]);
  });

  it('counts records that hang as away, and starts all the same', async () => {
    const records = new FakeExpiringRecords(clock, stored);
    let answer = (_: null): void => undefined;
    records.get = () => new Promise<null>((resolve) => (answer = resolve));
    const late = instancesOn(records, clock);
    const starting = late.onModuleInit();
    await clock.advance(2_000);
    await starting;
    expect(late.recordsAreAway).toBe(true);
    answer(null);
    await clock.advance(0);
    expect(late.recordsAreAway).toBe(false);
  });

  it('loses its place to none of many that start at once', async () => {
    const many = await Promise.all(Array.from({ length: 8 }, () => started()));
    await clock.advance(2_000);
    expect(many.map(({ registry }) => registry.gateways)).toEqual(Array(8).fill(8));
  });
});

describe('the record of instances', () => {
  const recorded = () => livingInstances(stored.get('instances')!.value, clock.now()).map(({ id, version }) => [id, version]);

  it('tells the release that each process runs', async () => {
    const [one, next] = [await started('gateway', 'several', '1.2.3'), await started('delivery', 'several', '1.3.0')];
    await clock.advance(2_000);
    expect(recorded()).toEqual([[one.registry.id, '1.2.3'], [next.registry.id, '1.3.0']]); // prettier-ignore
  });

  it('tells none of a process of a release that did not record it', async () => {
    const older: LivingInstance = { id: 'older', role: 'gateway', leaseUntil: clock.now() + 6_000 };
    stored.set('instances', { value: JSON.stringify([older]), version: '1', expiresAt: older.leaseUntil });
    const { registry } = await started('projections', 'several', '1.3.0');
    expect(recorded()).toEqual([['older', undefined], [registry.id, '1.3.0']]); // prettier-ignore
    expect(registry.gateways).toBe(1);
  });

  it('keeps what a later release records of its processes', async () => {
    const later = { id: 'later', role: 'gateway', version: '2.0.0', zone: 'a', leaseUntil: clock.now() + 6_000 };
    stored.set('instances', { value: JSON.stringify([later]), version: '1', expiresAt: later.leaseUntil });
    await started();
    expect(JSON.parse(stored.get('instances')!.value)).toContainEqual(later);
  });
});

describe('a process of an older release', () => {
  it.each([
    ['1.2.3', '1.2.3', false],
    ['1.2.3', '1.2.4', true],
    ['1.9.0', '1.10.0', true],
    ['2.0.0', '1.10.0', false],
    ['unbundled', '1.0.0', false],
    ['1.0.0', 'unbundled', false],
  ])('is one of %s beside one of %s: %s', async (version, own, isOlder) => {
    await started('delivery', 'several', version);
    const { registry } = await started('gateway', 'several', own);
    expect(await registry.olderLives()).toBe(isOlder);
  });

  it('is one that recorded none, for as long as it lives', async () => {
    const { registry } = await started();
    const older: LivingInstance = { id: 'older', role: 'gateway', leaseUntil: clock.now() + 6_000 };
    const { value, version, expiresAt } = stored.get('instances')!;
    const both = JSON.stringify([...(JSON.parse(value) as LivingInstance[]), older]);
    stored.set('instances', { value: both, version: `${version}+`, expiresAt });
    await expect(registry.refuseBesideOlder()).rejects.toMatchObject({
      code: 'service_unavailable',
      details: { retryAfter: 10 },
    });
    await clock.advance(6_000);
    await expect(registry.refuseBesideOlder()).resolves.toBeUndefined();
  });

  it('may live while the records are away', async () => {
    const { records, registry } = await started();
    records.away = true;
    expect(await registry.olderLives()).toBe(true);
  });

  it('does not live where an engine admits one process', async () => {
    const { registry } = await started('gateway', 'one');
    expect(await registry.olderLives()).toBe(false);
  });
});

describe('the number of gateways', () => {
  it('follows who lives, and counts nobody else', async () => {
    const [one, other] = [await started(), await started()];
    await started('delivery');
    await started('projections');
    await clock.advance(2_000);
    expect(one.registry.gateways).toBe(2);
    other.records.away = true;
    await clock.advance(8_000);
    expect(one.registry.gateways).toBe(1);
  });

  it('is the last known one while the records are away', async () => {
    const [one] = [await started(), await started(), await started()];
    await clock.advance(2_000);
    one.records.away = true;
    await clock.advance(60_000);
    expect([one.registry.gateways, one.registry.recordsAreAway]).toEqual([3, true]);
  });

  it('is one for a process that counts no gateway', async () => {
    const { registry } = await started('delivery');
    expect(registry.gateways).toBe(1);
  });
});

it('an engine that admits one process has no leases stored, and everybody but its process is gone', async () => {
  const { registry } = await started('gateway', 'one');
  await clock.advance(60_000);
  expect(await registry.gone(['another'])).toEqual(new Set(['another']));
  expect([stored.size, clock.pending, registry.gateways, registry.recordsAreAway]).toEqual([0, 0, 1, false]);
  await registry.onApplicationShutdown();
});
