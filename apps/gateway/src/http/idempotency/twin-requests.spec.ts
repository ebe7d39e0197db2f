import { NodeSecrets } from '@adapters/secrets.node-crypto';
import { EVER, Engine } from '@ports/engine.port';
import { FakeClock } from '@testing/fake-clock';
import { FakeExpiringRecords } from '@testing/fake-expiring-records';
import type { Begun } from './held-claim.js';
import { Idempotency } from './idempotency.js';

class OnlyEngine extends Engine {
  readonly leasesVoidBefore = EVER;
  parts = () => Promise.resolve([]);
  close = () => Promise.resolve();
}

/** As the embedded engine's: everybody sees a write at once, and it resolves when it is in the file. */
class SlowRecords extends FakeExpiringRecords {
  stored = (): void => undefined;
  private readonly disk = new Promise<void>((resolve) => (this.stored = resolve));

  override async replace(...args: Parameters<FakeExpiringRecords['replace']>) {
    const replaced = await super.replace(...args);
    await this.disk;
    return replaced;
  }

  override async remove(...args: Parameters<FakeExpiringRecords['remove']>) {
    const removed = await super.remove(...args);
    await this.disk;
    return removed;
  }
}

const request = { scope: 'prj_1', key: 'k', request: 'POST /v1/things\n{}', requestId: 'req_1' };
const secrets = new NodeSecrets(new Uint8Array(32).fill(1));

it('a request beside its twin is told the answer once that is durable', async () => {
  const clock = new FakeClock();
  const records = new SlowRecords(clock);
  const idempotency = new Idempotency(records, secrets, clock, new OnlyEngine());
  const answer = { status: 201, headers: {}, body: '{}' };

  const first = await idempotency.begin(request);
  if (first.kind !== 'execute') throw new Error('the answer was replayed');
  const completing = idempotency.complete(first.claim, answer);
  let second: Begun | null = null;
  const joining = idempotency.begin(request).then((begun) => (second = begun));
  await clock.advance(200);
  expect(second).toBeNull();
  records.stored();
  await Promise.all([completing, joining]);
  expect(second).toMatchObject({ kind: 'replay', answer });
});

it('a request after one that was never made is executed once, though the disk is slow to forget that', async () => {
  const clock = new FakeClock();
  const records = new SlowRecords(clock);
  const idempotency = new Idempotency(records, secrets, clock, new OnlyEngine());
  const first = await idempotency.begin(request);
  if (first.kind !== 'execute') throw new Error('the answer was replayed');
  const completing = idempotency.complete(first.claim, { status: 400, headers: {}, body: '{}' });
  await clock.advance(1);
  expect(await idempotency.begin(request)).toMatchObject({ kind: 'execute' });
  records.stored();
  await completing;
  let third: Begun | null = null;
  void idempotency.begin(request).then(
    (begun) => (third = begun),
    () => undefined,
  );
  await clock.advance(200);
  expect(third).toBeNull();
});
