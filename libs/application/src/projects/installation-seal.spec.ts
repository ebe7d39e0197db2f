import { NodeSecrets } from '@adapters/secrets.node-crypto';
import { FakeClock } from '@testing/fake-clock';
import { FakeEventStore } from '@testing/fake-event-store';
import { FakeIds } from '@testing/fake-ids';
import { FoldCache } from '../fold-cache.js';
import { StreamRunner } from '../stream-runner.js';
import { AnotherKey, InstallationSeal } from './installation-seal.js';

describe('the seal of an installation', () => {
  const clock = new FakeClock();
  const [itsKey, anotherKey] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
  let store: FakeEventStore;
  beforeEach(() => void (store = new FakeEventStore()));

  /** As a process with this key compares it. */
  function compare(key: Uint8Array): Promise<void> {
    const streams = new StreamRunner(store, new FoldCache(), clock, new FakeIds(clock));
    return new InstallationSeal(streams, new NodeSecrets(key), clock).compare();
  }

  it('fits the key of the first start, at every start', async () => {
    await compare(itsKey);
    await expect(compare(itsKey)).resolves.toBeUndefined();
    expect(store.log).toHaveLength(1);
  });

  it('fits no other key, however often it is tried', async () => {
    await compare(itsKey);
    await expect(compare(anotherKey)).rejects.toBeInstanceOf(AnotherKey);
    await expect(compare(anotherKey)).rejects.toBeInstanceOf(AnotherKey);
    await expect(compare(itsKey)).resolves.toBeUndefined();
  });
});
