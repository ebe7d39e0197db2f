import { ConversationWorld } from '@testing/conversation-world';
import { originOf } from '@testing/envelopes';
import { landsLate } from '@testing/late-append';

let world: ConversationWorld;
beforeEach(async () => (world = await ConversationWorld.create()));
afterEach(() => world.close());

describe('an update whose first append lands while its retry looks for it', () => {
  it('is answered with the customer as it is then', async () => {
    const { projectId } = world.context();
    const { customer } = await world.customers.link(
      projectId,
      { phone: '+4915100000001' },
      world.ids.next('customer'),
      originOf('command'),
    );
    const update = (isRetry: boolean) => world.updateCustomer(customer.id, { name: 'Ada' }, world.context('key', isRetry));
    landsLate(world.ports.events, () => update(false));
    expect(await update(true)).toMatchObject({ name: 'Ada' });
  });
});
