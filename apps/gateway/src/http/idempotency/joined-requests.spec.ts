import { NodeCryptoSecrets } from '@adapters/secrets.node-crypto';
import { DomainError } from '@domain/kernel/domain-error';
import { FakeClock } from '@testing/fake-clock';
import { FakeExpiringRecords } from '@testing/fake-expiring-records';
import { instancesOn } from '@testing/instances-on';
import { Idempotency, type BeginResult, type KeyClaim } from './idempotency.js';

const REQUEST = {
  scope: 'prj_1',
  key: 'k',
  request: 'POST /v1/messages\n{}',
  formerRequest: () => 'POST /v1/messages\n{}',
  requestId: 'req_1',
  joins: true,
};

let clock: FakeClock;
let records: FakeExpiringRecords;
const secrets = new NodeCryptoSecrets(new Uint8Array(32).fill(1));
const oneProcess = () => new Idempotency(records, secrets, clock, instancesOn(records, clock));

beforeEach(() => {
  clock = new FakeClock();
  records = new FakeExpiringRecords(clock);
});

function claimOf(begun: BeginResult): KeyClaim {
  if (begun.kind === 'replay') throw new Error('the answer was replayed');
  return begun.kind === 'join' ? begun.joined : begun.lock;
}
const answer = (body: string, status = 200) => ({ status, headers: {}, body });
const replayed = (begun: BeginResult) => (begun.kind === 'replay' ? begun.answer.body : begun.kind);
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => (error instanceof DomainError ? error.code : error),
  );

describe('a request whose key is in use', () => {
  it.each([
    ['by this process', () => (here: Idempotency) => here],
    ['by another process', () => () => oneProcess()],
  ])('%s joins at once, with the start of the first', async (_, other) => {
    const here = oneProcess();
    const first = await here.begin(REQUEST);
    const second = await other()(here).begin(REQUEST);
    expect([first.kind, second.kind]).toEqual(['execute', 'join']);
    if (first.kind === 'execute' && second.kind === 'join') expect(second.joined.startedAt).toBe(first.lock.record.startedAt);
  });

  it('joins also where both come at the same moment', async () => {
    const here = oneProcess();
    const begun = await Promise.all([1, 2, 3].map(() => here.begin(REQUEST)));
    expect(begun.map(({ kind }) => kind)).toEqual(['execute', 'join', 'join']);
  });

  it('with another body is refused', async () => {
    const here = oneProcess();
    await here.begin(REQUEST);
    const other = { ...REQUEST, request: 'POST /v1/messages\n1', formerRequest: () => 'POST /v1/messages\n1' };
    expect(await codeOf(here.begin(other))).toBe('idempotency_key_reused');
    expect(await codeOf(oneProcess().begin(other))).toBe('idempotency_key_reused');
  });
});

describe('the first final answer', () => {
  it('of the first request is kept, whatever those that joined it are answered', async () => {
    const here = oneProcess();
    const [first, second] = [claimOf(await here.begin(REQUEST)), claimOf(await here.begin(REQUEST))];
    const told = here.complete(second, answer('of the second'));
    await here.complete(first, answer('of the first'));
    await clock.advance(10);
    expect(await told).toMatchObject({ kind: 'replay', answer: answer('of the first'), originalRequest: 'req_1' });
    expect(replayed(await here.begin(REQUEST))).toBe('of the first');
  });

  it.each([
    ['in this process', (here: Idempotency) => here],
    ['in another process', () => oneProcess()],
  ])('of one that joined %s is kept where the first has gone without one', async (_, other) => {
    const here = oneProcess();
    const there = other(here);
    const [first, second] = [claimOf(await here.begin(REQUEST)), claimOf(await there.begin(REQUEST))];
    await here.complete(first, answer('accepted', 202), { isUnfinished: true });
    await there.complete(second, answer('the reply'));
    expect(replayed(await here.begin(REQUEST))).toBe('the reply');
  });

  it('is kept once', async () => {
    const here = oneProcess();
    const claims = [claimOf(await here.begin(REQUEST)), claimOf(await here.begin(REQUEST)), claimOf(await here.begin(REQUEST))];
    await here.complete(claims[0]!, answer('', 202), { isUnfinished: true });
    await here.complete(claims[1]!, answer('one'));
    expect(await here.complete(claims[2]!, answer('two'))).toMatchObject({ answer: answer('one') });
    expect(replayed(await here.begin(REQUEST))).toBe('one');
  });

  it('of one that joined is sent where the first takes ten seconds longer', async () => {
    const here = oneProcess();
    const [, second] = [claimOf(await here.begin(REQUEST)), claimOf(await here.begin(REQUEST))];
    const told = here.complete(second, answer('of the second'));
    await clock.advance(10_300);
    expect(await told).toBeNull();
  });

  it('is none that only says that it goes on', async () => {
    const here = oneProcess();
    const [first, second] = [claimOf(await here.begin(REQUEST)), claimOf(await here.begin(REQUEST))];
    await here.complete(second, answer('', 202), { isUnfinished: true });
    await here.complete(first, answer('', 202), { isUnfinished: true });
    const next = await here.begin(REQUEST);
    expect([next.kind, next.kind === 'execute' && next.lock.isRetry]).toEqual(['execute', true]);
  });
});
