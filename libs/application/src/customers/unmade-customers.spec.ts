import { customerDecider } from '@domain/customer/customer.decider';
import { ENVELOPE, originOf } from '@testing/envelopes';
import { ConversationWorld, PROJECT } from '@testing/conversation-world';
import { customerStream } from './customer-addresses.js';

let world: ConversationWorld;
beforeEach(async () => {
  world = await ConversationWorld.create();
});
afterEach(() => world.close());

const PHONE = '+4915112345678';
const EMAIL = 'ada@example.org';
let links = 0;

function link(input: Parameters<ConversationWorld['customers']['link']>[1], id = world.ids.next('customer')) {
  return world.customers.link(PROJECT, input, id, originOf(`link ${++links}`));
}

/** Delays the storing of the next customer until after its claims. */
function heldUp(): { readonly claimed: Promise<void>; arrive(): void } {
  const run = world.streams.run.bind(world.streams);
  let arrive = () => {};
  const arriving = new Promise<void>((resolve) => (arrive = resolve));
  const claimed = new Promise<void>((resolve) => {
    const holdUp = jest.spyOn(world.streams, 'run').mockImplementation(async (...args: Parameters<typeof run>) => {
      if ((args[2] as { type: string }).type !== 'CreateCustomer') return run(...args);
      holdUp.mockRestore();
      resolve();
      await arriving;
      return run(...args);
    });
  });
  return { claimed, arrive };
}

describe('an e-mail address on its way to a customer who is being made', () => {
  async function make(id?: string): Promise<() => ReturnType<typeof link>> {
    const { claimed, arrive } = heldUp();
    const making = link({ phone: PHONE, email: EMAIL }, id);
    await claimed;
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

  it('is claimed anew when it was given up and nobody took it, and then is nobody else’s at once', async () => {
    const other = (await link({ phone: '+4915100000000' })).customer;
    const id = world.ids.next('customer');
    const made = await make(id);
    const giveUp = { type: 'GiveUpChange', at: 0, ways: ['email'], seen: { phone: 0, email: 0 } } as const;
    await world.streams.run(customerStream(id), customerDecider, giveUp, ENVELOPE);
    const again = heldUp();
    const making = made();
    await again.claimed;
    await world.whileTimePasses(world.updateCustomer(other.id, { email: EMAIL }));
    again.arrive();
    expect((await making).customer).toMatchObject({ phone: PHONE, email: null });
  });
});

describe('a customer whose maker died before making it', () => {
  const DAYS_MS = 5 * 86_400_000;

  async function cutOff(type: string, work: () => Promise<unknown>): Promise<void> {
    const run = world.streams.run.bind(world.streams);
    const cut = jest.spyOn(world.streams, 'run').mockImplementation((...args: Parameters<typeof run>) => {
      if ((args[2] as { type: string }).type !== type) return run(...args);
      return Promise.reject(new Error('The process died.'));
    });
    await expect(work()).rejects.toThrow('died');
    cut.mockRestore();
  }

  it('is made when somebody comes with its phone number, not in the past: it is the newest in lists', async () => {
    await cutOff('CreateCustomer', () => link({ phone: PHONE, name: 'Ada' }));
    await world.clock.advance(DAYS_MS);
    const { customer } = await link({ phone: PHONE });
    expect(customer).toMatchObject({ name: 'Ada', createdAt: world.clock.now(), updatedAt: world.clock.now() });
  });

  it('keeps its e-mail address from nobody who comes with it and another number at once', async () => {
    await cutOff('CreateCustomer', () => link({ phone: PHONE, email: EMAIL }));
    const { customer } = await world.whileTimePasses(link({ phone: '+4915100000000', email: EMAIL }));
    expect(customer).toMatchObject({ phone: '+4915100000000', email: EMAIL });
    expect((await link({ phone: PHONE })).customer).toMatchObject({ phone: PHONE, email: null });
  });

  it('has the e-mail address that a known customer was to take when its process died', async () => {
    const { customer: known } = await link({ phone: PHONE });
    await cutOff('UpdateCustomer', () => world.updateCustomer(known.id, { email: EMAIL }));
    const { customer } = await world.whileTimePasses(link({ phone: '+4915100000000', email: EMAIL }));
    expect(customer).toMatchObject({ phone: '+4915100000000', email: EMAIL });
    await expect(world.updateCustomer(known.id, { email: EMAIL })).rejects.toMatchObject({ code: 'customer_exists' });
  });
});
