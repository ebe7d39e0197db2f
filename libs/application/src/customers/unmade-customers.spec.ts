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
  return world.customers.link(PROJECT, input, world.ids.next('customer'), `link ${++links}`);
}

describe('an e-mail address on its way to a customer who is being made', () => {
  /** Everything is claimed for the customer and nothing of it stored until it arrives. */
  async function make(): Promise<() => ReturnType<typeof link>> {
    const run = world.streams.run.bind(world.streams);
    let arrive = () => {};
    const arriving = new Promise<void>((resolve) => (arrive = resolve));
    let claimed = () => {};
    const allClaimed = new Promise<void>((resolve) => (claimed = resolve));
    const holdUp = jest.spyOn(world.streams, 'run').mockImplementation(async (...args: Parameters<typeof run>) => {
      if ((args[2] as { type: string }).type !== 'CreateCustomer') return run(...args);
      claimed();
      await arriving;
      return run(...args);
    });
    const making = link({ phone: PHONE, email: EMAIL });
    await allClaimed;
    holdUp.mockRestore();
    return () => {
      arrive();
      return making;
    };
  }

  it('is another’s who did not wait longer, and not the new one’s as well', async () => {
    const other = (await link({ phone: '+4915100000000' })).customer;
    const made = await make();
    const moved = await world.whileTimePasses(world.updateCustomer(other.id, { email: EMAIL }));
    expect(moved.email).toBe(EMAIL);
    expect((await made()).customer).toMatchObject({ phone: PHONE, email: null });
    expect((await link({ email: EMAIL })).customer.id).toBe(other.id);
  });

  it('is the new one’s when the other is gone by then', async () => {
    const other = (await link({ phone: '+4915100000000' })).customer;
    const made = await make();
    await world.whileTimePasses(world.updateCustomer(other.id, { email: EMAIL }));
    await world.deleteCustomer(other.id);
    const { customer: late } = await made();
    expect(late).toMatchObject({ phone: PHONE, email: EMAIL });
    expect((await link({ email: EMAIL })).customer.id).toBe(late.id);
  });
});
