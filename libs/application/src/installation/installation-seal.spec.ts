import { NodeCryptoSecrets } from '@adapters/secrets.node-crypto';
import { FakeClock } from '@testing/fake-clock';
import { FakeEventStore } from '@testing/fake-event-store';
import { FakeIds } from '@testing/fake-ids';
import { StreamCache } from '../streams/stream-cache.js';
import { StreamRunner } from '../streams/stream-runner.js';
import { AnotherKey, InstallationSeal } from './installation-seal.js';

describe('the seal of an installation', () => {
  const clock = new FakeClock();
  const [itsKey, anotherKey] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
  let store: FakeEventStore;
  let kept: Uint8Array[];
  beforeEach(() => {
    store = new FakeEventStore();
    kept = [];
  });

  function compare(key: Uint8Array, keepKey: () => void = () => kept.push(key)): Promise<void> {
    const ids = new FakeIds(clock);
    const streams = new StreamRunner(store, new StreamCache(store), clock, ids);
    return new InstallationSeal(streams, new NodeCryptoSecrets(key), clock, ids).compare(keepKey);
  }

  it('fits the key of the first start, at every start', async () => {
    await compare(itsKey);
    await expect(compare(itsKey)).resolves.toBeUndefined();
    expect(store.log).toHaveLength(1);
  });

  it('is set once the key is kept, and only then', async () => {
    const cannot = () => {
      throw new Error('the disk is full');
    };
    await expect(compare(itsKey, cannot)).rejects.toThrow('the disk is full');
    expect(store.log).toEqual([]);
    await compare(itsKey);
    expect(kept).toEqual([itsKey]);
  });

  it('fits no other key, however often it is tried', async () => {
    await compare(itsKey);
    await expect(compare(anotherKey)).rejects.toBeInstanceOf(AnotherKey);
    await expect(compare(anotherKey)).rejects.toBeInstanceOf(AnotherKey);
    await expect(compare(itsKey)).resolves.toBeUndefined();
    expect(kept).toEqual([itsKey]);
  });
});
