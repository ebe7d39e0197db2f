import { NodeCryptoSecrets } from '@adapters/secrets.node-crypto';
import type { DomainError } from '@domain/kernel/domain-error';
import { FakeClock } from '@testing/fake-clock';
import { FakeExpiringRecords } from '@testing/fake-expiring-records';
import { instancesOn } from '@testing/instances-on';
import { Idempotency, type BeginResult } from './idempotency.js';

/** Behaves like the embedded engine: a write is visible at once and resolves only when it is durable. */
class SlowRecords extends FakeExpiringRecords {
  stored = (): void => undefined;
  private readonly disk = new Promise<void>((resolve) => (this.stored = resolve));

  isSlowToCreate = false;

  override async create(...args: Parameters<FakeExpiringRecords['create']>) {
    const creation = await super.create(...args);
    if (this.isSlowToCreate) await this.disk;
    return creation;
  }

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

const request = {
  scope: 'prj_1',
  key: 'k',
  request: 'POST /v1/things\n{}',
  formerRequest: () => 'POST /v1/things\n{}',
  requestId: 'req_1',
};
const secrets = new NodeCryptoSecrets(new Uint8Array(32).fill(1));

it('a request beside its twin is told the answer once that is durable', async () => {
  const clock = new FakeClock();
  const records = new SlowRecords(clock);
  const idempotency = new Idempotency(records, secrets, clock, instancesOn(records, clock, 'one'));
  const answer = { status: 201, headers: {}, body: '{}' };

  const first = await idempotency.begin(request);
  if (first.kind !== 'execute') throw new Error('the answer was replayed');
  const completing = idempotency.complete(first.lock, answer);
  let second: BeginResult | null = null;
  const joining = idempotency.begin(request).then((begun) => (second = begun));
  await clock.advance(200);
  expect(second).toBeNull();
  records.stored();
  await Promise.all([completing, joining]);
  expect(second).toMatchObject({ kind: 'replay', answer });
});

it('a request after one that was never made is executed once that is durable', async () => {
  const clock = new FakeClock();
  const records = new SlowRecords(clock);
  const idempotency = new Idempotency(records, secrets, clock, instancesOn(records, clock, 'one'));
  const first = await idempotency.begin(request);
  if (first.kind !== 'execute') throw new Error('the answer was replayed');
  const completing = idempotency.complete(first.lock, { status: 400, headers: {}, body: '{}' });
  let second: BeginResult | null = null;
  const joining = idempotency.begin(request).then((begun) => (second = begun));
  await clock.advance(200);
  expect(second).toBeNull();
  records.stored();
  await Promise.all([completing, joining]);
  expect(second).toMatchObject({ kind: 'execute', lock: { isRetry: false } });
});

it('a request beside its twin waits while the claim of that is stored', async () => {
  const clock = new FakeClock();
  const records = new SlowRecords(clock);
  records.isSlowToCreate = true;
  const idempotency = new Idempotency(records, secrets, clock, instancesOn(records, clock, 'one'));
  const begun: BeginResult[] = [];
  const codes: unknown[] = [];
  const begin = () => idempotency.begin(request).then((each) => void begun.push(each));
  const [first, second] = [begin(), begin().catch((error: DomainError) => void codes.push(error.code))];
  await clock.advance(200);
  expect(begun).toEqual([]);
  records.stored();
  await first;
  await clock.advance(200);
  expect(begun.map(({ kind }) => kind)).toEqual(['execute']);
  await clock.advance(2_000);
  await second;
  expect(codes).toEqual(['idempotency_key_in_use']);
});
