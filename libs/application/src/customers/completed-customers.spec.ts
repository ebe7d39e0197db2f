import { originOf } from '@testing/envelopes';
import { ConversationWorld, PROJECT } from '@testing/conversation-world';

let world: ConversationWorld;
beforeEach(async () => {
  world = await ConversationWorld.create();
});
afterEach(() => world.close());

const PHONE = '+4915112345678';
const EMAIL = 'ada@example.org';
let links = 0;

function link(input: Parameters<ConversationWorld['customers']['link']>[1]) {
  return world.customers.link(PROJECT, input, world.ids.next('customer'), originOf(`link ${++links}`));
}

/** Runs `work` right before the next command of this type. */
function before(type: string, work: () => Promise<unknown>): void {
  const run = world.streams.run.bind(world.streams);
  const spy = jest.spyOn(world.streams, 'run').mockImplementation(async (...args: Parameters<typeof run>) => {
    if ((args[2] as { type: string }).type !== type) return run(...args);
    spy.mockRestore();
    await work();
    return run(...args);
  });
}

describe('a phone number that a known customer lacks', () => {
  it('is filled in, also when another change of that customer to it is refused meanwhile', async () => {
    const { id } = (await link({ email: EMAIL })).customer;
    await link({ email: 'eve@example.org' });
    before('CompleteCustomer', () =>
      expect(world.updateCustomer(id, { phone: PHONE, email: 'eve@example.org' })).rejects.toMatchObject({
        code: 'customer_exists',
      }),
    );
    const { customer } = await world.whileTimePasses(link({ phone: PHONE, email: EMAIL, name: 'Ada' }));
    expect(customer).toMatchObject({ id, phone: PHONE, name: 'Ada' });
    expect((await link({ phone: PHONE })).customer.id).toBe(id);
  });

  it('leads to the other who comes to it meanwhile, rather than to the one with the e-mail address', async () => {
    await link({ email: EMAIL });
    const other = (await link({ email: 'eve@example.org' })).customer;
    before('Claim', () => world.updateCustomer(other.id, { phone: PHONE }));
    const { customer } = await world.whileTimePasses(link({ phone: PHONE, email: EMAIL }));
    expect(customer).toMatchObject({ id: other.id, phone: PHONE, email: 'eve@example.org' });
  });
});
