import { CustomerMovedOn, customerDecider } from '@domain/customer/customer.decider';
import { ENVELOPE, originOf } from '@testing/envelopes';
import { ConversationWorld, PROJECT } from '@testing/conversation-world';
import { SaveCustomer } from './customer.commands.js';
import { SaveCustomerHandler } from './customer.handlers.js';
import { customerStream } from './customer-addresses.js';

let world: ConversationWorld;
beforeEach(async () => {
  world = await ConversationWorld.create();
});
afterEach(() => world.close());

const PHONE = '+4915112345678';
const EMAIL = 'ada@example.org';
let links = 0;

function link(input: Parameters<ConversationWorld['customers']['link']>[1], project = PROJECT) {
  return world.customers.link(project, input, world.ids.next('customer'), originOf(`link ${++links}`));
}

describe('linking a customer', () => {
  it('creates one that is new, and finds it again by phone and by e-mail', async () => {
    const { customer, created } = await link({ phone: PHONE, email: EMAIL });
    expect(created).toBe(true);
    expect(customer).toMatchObject({ phone: PHONE, email: EMAIL, metadata: '{}' });
    expect(await link({ phone: PHONE })).toMatchObject({ created: false, customer: { id: customer.id } });
    expect(await link({ email: EMAIL })).toMatchObject({ created: false, customer: { id: customer.id } });
  });

  it('fills in what is missing and overwrites nothing', async () => {
    const { customer } = await link({ email: EMAIL, name: 'Ada' });
    const linked = await link({ phone: PHONE, email: EMAIL, name: 'Eve' });
    expect(linked.customer).toMatchObject({ id: customer.id, phone: PHONE, name: 'Ada' });
    expect((await link({ phone: PHONE })).customer.id).toBe(customer.id);
  });

  it('fills in nothing that was taken away since, when it runs again', async () => {
    const { customer } = await link({ phone: PHONE });
    const id = world.ids.next('customer');
    const complete = () => world.customers.link(PROJECT, { phone: PHONE, name: 'Ada' }, id, originOf('completes'));
    expect((await complete()).customer.name).toBe('Ada');
    await world.updateCustomer(customer.id, { name: null });
    expect(await complete()).toMatchObject({ created: false, customer: { id: customer.id, name: null } });
  });

  it('keeps from nobody what was taken away since, when it runs again', async () => {
    const { customer } = await link({ phone: PHONE });
    const id = world.ids.next('customer');
    const complete = () => world.customers.link(PROJECT, { phone: PHONE, email: EMAIL }, id, originOf('completes'));
    await complete();
    await world.updateCustomer(customer.id, { email: null });
    await complete();
    expect(await world.whileTimePasses(link({ email: EMAIL }))).toMatchObject({ created: true });
    const past = await world.ports.events.read(customerStream(customer.id));
    expect(past.map(({ event }) => event.type)).toEqual(['CustomerCreated', 'CustomerUpdated', 'CustomerUpdated']);
  });

  it('adds nothing to a customer that it made, when it runs again', async () => {
    const id = world.ids.next('customer');
    const make = () => world.customers.link(PROJECT, { phone: PHONE, name: 'Ada' }, id, originOf('makes'));
    await make();
    await world.updateCustomer(id, { name: null });
    expect(await make()).toMatchObject({ created: true, customer: { id, name: null } });
  });

  it.each([
    ['deleted', (id: string) => world.deleteCustomer(id)],
    ['given another phone number', (id: string) => world.updateCustomer(id, { phone: '+4915100000000' })],
  ])('completes nobody else when it runs again after the one it completed was %s', async (_how, change) => {
    const { customer } = await link({ phone: PHONE });
    const save = (again: boolean) => {
      const handler = new SaveCustomerHandler(world.customers, world.ids);
      return handler.execute(new SaveCustomer(world.context('key', again), { phone: PHONE, name: 'Ada', email: EMAIL }));
    };
    await save(false);
    await change(customer.id);
    const heir = (await link({ phone: PHONE })).customer;
    expect(await save(true)).toMatchObject({ created: false, customer: { id: customer.id, name: 'Ada' } });
    expect(await world.customers.load(PROJECT, heir.id)).toMatchObject({ name: null, email: null });
  });

  it('makes no other customer when it runs again after the one it made was deleted', async () => {
    const save = (again: boolean) => {
      const handler = new SaveCustomerHandler(world.customers, world.ids);
      return handler.execute(new SaveCustomer(world.context('key', again), { phone: PHONE, name: 'Ada' }));
    };
    const { customer } = await save(false);
    await world.deleteCustomer(customer.id);
    const heir = (await link({ phone: PHONE })).customer;
    expect(await save(true)).toMatchObject({ created: true, customer: { id: customer.id, name: 'Ada' } });
    expect(await world.customers.load(PROJECT, heir.id)).toMatchObject({ name: null });
  });

  it('prefers the phone, and leaves the other customer its e-mail address', async () => {
    const byPhone = (await link({ phone: PHONE })).customer;
    const byEmail = (await link({ email: EMAIL })).customer;
    const linked = (await link({ phone: PHONE, email: EMAIL })).customer;
    expect(linked).toMatchObject({ id: byPhone.id, email: null });
    expect((await link({ email: EMAIL })).customer.id).toBe(byEmail.id);
  });

  it('makes one customer however many ask at once', async () => {
    const linked = await world.whileTimePasses(
      Promise.all(Array.from({ length: 20 }, () => link({ phone: PHONE, email: EMAIL }))),
    );
    expect(new Set(linked.map(({ customer }) => customer.id)).size).toBe(1);
    expect(linked.filter(({ created }) => created)).toHaveLength(1);
  });

  it('makes one customer for two who ask at once, one by phone and e-mail, one by the same e-mail alone', async () => {
    const asked = [{ email: EMAIL }, { phone: PHONE, email: EMAIL }].map((input) => link(input));
    const [byEmail, byBoth] = await world.whileTimePasses(Promise.all(asked));
    expect(byBoth?.customer).toMatchObject({ id: byEmail?.customer.id, phone: PHONE, email: EMAIL });
    expect((await link({ phone: PHONE })).customer.id).toBe(byEmail?.customer.id);
  });

  it('keeps projects apart', async () => {
    const here = (await link({ phone: PHONE })).customer;
    const there = (await link({ phone: PHONE }, 'prj_01J9Z3K8Q4T6V8X0A2C4E6G8J9')).customer;
    expect(there.id).not.toBe(here.id);
    await expect(world.customers.load(PROJECT, there.id)).rejects.toMatchObject({ code: 'resource_missing' });
  });
});

describe('a phone number', () => {
  it('is free for another customer once its own was deleted', async () => {
    const first = (await link({ phone: PHONE })).customer;
    await world.deleteCustomer(first.id);
    expect(await link({ phone: PHONE })).toMatchObject({ created: true });
  });

  it('is a new customer’s when its own is deleted while somebody links it', async () => {
    const first = (await link({ phone: PHONE })).customer;
    const linking = [1, 2, 3].map(() => link({ phone: PHONE, email: EMAIL }));
    await world.deleteCustomer(first.id);
    await world.whileTimePasses(Promise.all(linking));
    const { customer } = await link({ phone: PHONE });
    expect(customer).toMatchObject({ phone: PHONE, email: EMAIL, deletedAt: null });
    expect(customer.id).not.toBe(first.id);
  });

  it('cannot be taken from a live customer', async () => {
    const holder = (await link({ phone: PHONE })).customer;
    const other = await world.customers.load(PROJECT, (await link({ email: EMAIL })).customer.id);
    await expect(world.customers.take(other, { phone: PHONE }, originOf('take'))).rejects.toMatchObject({
      code: 'customer_exists',
      details: { param: 'phone', extras: { existing_id: holder.id } },
    });
  });

  it('is not kept by a customer whose change was refused for its e-mail address', async () => {
    const mover = (await link({ phone: PHONE })).customer;
    const owner = (await link({ email: EMAIL })).customer;
    await expect(world.updateCustomer(mover.id, { phone: '+4915100000000', email: EMAIL })).rejects.toMatchObject({
      code: 'customer_exists',
      details: { param: 'email', extras: { existing_id: owner.id } },
    });
    const { customer, created } = await link({ phone: '+4915100000000' });
    expect({ created, phone: customer.phone }).toEqual({ created: true, phone: '+4915100000000' });
    expect(await world.customers.load(PROJECT, mover.id)).toMatchObject({ phone: PHONE, updatedAt: mover.updatedAt });
  });

  it('leads to no customer whose change to it never came about', async () => {
    const mover = (await link({ phone: PHONE })).customer;
    const cutOff = await world.customers.load(PROJECT, mover.id);
    await world.customers.take(cutOff, { phone: '+4915100000000' }, originOf('cut off'));
    const { customer, created } = await world.whileTimePasses(link({ phone: '+4915100000000' }));
    expect({ created, phone: customer.phone }).toEqual({ created: true, phone: '+4915100000000' });
  });

  it('is not kept by a change that was cut off before the clock was set back', async () => {
    const mover = (await link({ phone: PHONE })).customer;
    await world.customers.take(await world.customers.load(PROJECT, mover.id), { phone: '+4915100000000' }, originOf('cut off'));
    world.clock.set(world.clock.now() - 3_600_000);
    expect(await link({ phone: '+4915100000000' })).toMatchObject({ created: true });
  });

  it('is not taken by a change that comes about after it was given up', async () => {
    const mover = await world.customers.load(PROJECT, (await link({ phone: PHONE })).customer.id);
    await world.customers.take(mover, { phone: '+4915100000000' }, originOf('late'));
    await world.whileTimePasses(link({ phone: '+4915100000000' }));
    const late = {
      type: 'UpdateCustomer',
      at: 0,
      commandId: 'late',
      changes: { phone: '+4915100000000' },
      seen: mover.contactVersions,
    } as const;
    await expect(world.streams.run(customerStream(mover.id), customerDecider, late, ENVELOPE)).rejects.toThrow(CustomerMovedOn);
  });

  it('on its way to another is waited for without claiming anything else for that one', async () => {
    const mover = (await link({ phone: PHONE })).customer;
    await world.customers.take(await world.customers.load(PROJECT, mover.id), { phone: '+4915100000000' }, originOf('cut off'));
    const { customer } = await world.whileTimePasses(link({ phone: '+4915100000000', email: EMAIL }));
    expect(customer).toMatchObject({ phone: '+4915100000000', email: EMAIL });
    const past = await world.ports.events.read(customerStream(mover.id));
    expect(past.map(({ event }) => event.type)).toEqual(['CustomerCreated', 'CustomerChangeGivenUp']);
  });

  it('on its way to another who does not get it is filled in', async () => {
    const known = (await link({ email: EMAIL })).customer;
    const mover = await world.customers.load(PROJECT, (await link({ phone: PHONE })).customer.id);
    await world.customers.take(mover, { phone: '+4915100000000' }, originOf('cut off'));
    const { customer } = await world.whileTimePasses(link({ phone: '+4915100000000', email: EMAIL }));
    expect(customer).toMatchObject({ id: known.id, phone: '+4915100000000' });
  });

  it('stays as many other changes have left it, when the change before runs again', async () => {
    const { id } = (await link({ phone: PHONE })).customer;
    await world.updateCustomer(id, { name: 'Ada' }, world.context('first'));
    for (let time = 0; time < 12; time++) await world.updateCustomer(id, { name: `Ada ${time}` });
    expect((await world.updateCustomer(id, { name: 'Ada' }, world.context('first', true))).name).toBe('Ada 11');
  });

  it('is changed by a request that runs again when nothing came of it before', async () => {
    const { id } = (await link({ phone: PHONE })).customer;
    expect((await world.updateCustomer(id, { name: 'Ada' }, world.context('lost', true))).name).toBe('Ada');
  });

  it('stays where another change has put it, when the change before runs again', async () => {
    const { id } = (await link({ phone: PHONE })).customer;
    await world.updateCustomer(id, { phone: '+4915100000000' }, world.context('first'));
    await world.updateCustomer(id, { phone: '+4915111111111' });
    const again = await world.updateCustomer(id, { phone: '+4915100000000' }, world.context('first', true));
    expect(again.phone).toBe('+4915111111111');
    expect(await link({ phone: '+4915100000000' })).toMatchObject({ created: true });
  });

  it('belongs to the customer it moved to', async () => {
    const { customer } = await link({ phone: PHONE });
    await world.updateCustomer(customer.id, { phone: '+4915100000000' });
    expect(await link({ phone: PHONE })).toMatchObject({ created: true });
    expect((await link({ phone: '+4915100000000' })).customer.id).toBe(customer.id);
  });
});
