import { NodeCryptoSecrets } from '@adapters/secrets.node-crypto';
import { originOf } from '@testing/envelopes';
import { FakeClock } from '@testing/fake-clock';
import { FakeEventStore } from '@testing/fake-event-store';
import { FakeIds } from '@testing/fake-ids';
import { Claims } from '../claims/claims.js';
import { StreamCache } from '../streams/stream-cache.js';
import { StreamRunner } from '../streams/stream-runner.js';
import { CustomerAddresses } from './customer-addresses.js';

const PROJECT = 'prj_01J9Z3K8Q4T6V8X0A2C4E6G8J0';
const EMAIL = { by: 'email', value: 'ada@example.org' } as const;

const clock = new FakeClock();
const store = new FakeEventStore();
const streams = new StreamRunner(store, new StreamCache(store), clock, new FakeIds(clock, 1));
const claims = new Claims(streams, store, new NodeCryptoSecrets(Buffer.alloc(32, 7)), clock);
const addresses = new CustomerAddresses(streams, claims, clock);

function customer(id: string, phone: string) {
  const details = { phone, email: null, name: null, externalId: null, metadata: '{}' };
  return addresses.finish(id, { projectId: PROJECT, details }, originOf(`makes ${id}`));
}

describe('an e-mail address whose change is on its way to a customer', () => {
  it('is waited for a second by who wants it too, and is theirs when it has not arrived by then', async () => {
    const [first, second] = [await customer('cust_1', '+4915100000001'), await customer('cust_2', '+4915100000002')];
    expect(await addresses.takenBy(first, EMAIL, originOf('dies'))).toBeNull();
    const taking = addresses.takenBy(second, EMAIL, originOf('waits'));
    await clock.advance(1_000);
    expect(await Promise.race([taking, Promise.resolve('waiting')])).toBe('waiting');
    await clock.advance(20);
    expect(await Promise.race([taking, Promise.resolve('waiting')])).toBeNull();
  });
});
