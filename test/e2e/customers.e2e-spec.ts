import { App } from './harness/app.js';
import type { Answer } from './harness/client.js';
import { errorOf } from './harness/expectations.js';

let app: App;
beforeAll(async () => void (app = await App.start()));
afterAll(() => app.dispose());

let count = 0;
const newPhone = () => `+49151${1_000_000 + ++count}`;
const newEmail = () => `customer${++count}@example.com`;
const save = (body: object) => app.api.post('/v1/customers', body);
const get = (id: string) => app.api.get(`/v1/customers/${id}`);
const patch = (id: string, body: object) => app.api.patch(`/v1/customers/${id}`, body);
const remove = (id: string) => app.api.delete(`/v1/customers/${id}`);
const listed = async (query: Record<string, string>) =>
  ((await app.api.get(`/v1/customers?${new URLSearchParams(query)}`)).body.data as { id: string }[]).map(({ id }) => id);
const open = (customer: object) => app.api.post('/v1/conversations', { customer });

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const missing = (answer: Answer) => expect(errorOf(answer)).toEqual([404, 'invalid_request_error', 'resource_missing', 'id']);

describe('a new customer', () => {
  it('shows what is known of it', async () => {
    const phone = newPhone();
    const created = await save({
      phone,
      email: `UPPER.${newEmail()}`,
      name: 'Ann',
      external_id: 'crm-1',
      metadata: { vip: true },
    });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      id: expect.stringMatching(/^cust_[0-9A-HJKMNP-TV-Z]{26}$/),
      object: 'customer',
      phone,
      email: expect.stringMatching(/^upper\./),
      name: 'Ann',
      external_id: 'crm-1',
      metadata: { vip: true },
      created_at: expect.stringMatching(TIME),
      updated_at: created.body.created_at,
      deleted: false,
      deleted_at: null,
    });
    expect((await get(created.body.id)).text).toBe(created.text);
    expect(await listed({ phone })).toEqual([created.body.id]);
  });

  it('has nothing it was not given', async () => {
    const { body } = await save({ email: newEmail() });
    expect(body).toMatchObject({ phone: null, name: null, external_id: null, metadata: {} });
  });

  it('needs a phone or an e-mail', async () => {
    for (const body of [{}, { name: 'Ann' }, { phone: null, email: null }]) {
      expect(errorOf(await save(body)).slice(0, 3)).toEqual([400, 'invalid_request_error', 'parameter_missing']);
    }
  });

  it.each(['4915112345678', '+', '+0123456', '+49 151', '+49-151', '+1234567890123456', '', '+४९१५'])(
    'cannot have the phone %j',
    async (phone) => {
      const refused = await save({ phone, email: newEmail() });
      expect(errorOf(refused)).toEqual([400, 'invalid_request_error', 'phone_invalid_format', 'phone']);
    },
  );

  it.each(['+12', '+123456789012345'])('can have the phone %s, whatever numbering plans say', async (phone) => {
    expect((await save({ phone })).body.phone).toBe(phone);
  });

  it('can have an e-mail of 254 characters, and of no more', async () => {
    const ofLength = (count: number) => `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.`.padEnd(count, 'd');
    expect((await save({ email: ofLength(254) })).status).toBe(201);
    expect(errorOf(await save({ email: ofLength(255) }))[2]).toBe('email_invalid_format');
  });

  it.each([
    'nobody',
    'nobody@localhost',
    'a@example.1',
    `${'a'.repeat(65)}@example.com`,
    `a@${'b'.repeat(64)}.com`,
    '@example.com',
    'a@',
    'a b@example.com',
    'a@b@c',
    '',
  ])('cannot have the e-mail %j', async (email) => {
    expect(errorOf(await save({ email, phone: newPhone() }))).toEqual([
      400,
      'invalid_request_error',
      'email_invalid_format',
      'email',
    ]);
  });
});

describe('saving a customer who is known', () => {
  it('by phone completes what is missing and overwrites nothing', async () => {
    const [phone, email] = [newPhone(), newEmail()];
    const { body } = await save({ phone, name: 'Ann' });
    const again = await save({ phone, email, name: 'Bea', external_id: 'crm', metadata: { a: 1 } });
    expect(again.status).toBe(200);
    expect(again.body).toEqual({
      ...body,
      email,
      external_id: 'crm',
      metadata: { a: 1 },
      updated_at: expect.stringMatching(TIME),
    });
    expect(await listed({ email })).toEqual([body.id]);
  });

  it('by e-mail takes it in any case', async () => {
    const email = newEmail();
    const { body } = await save({ email });
    const again = await save({ email: email.toUpperCase() });
    expect([again.status, again.body.id]).toEqual([200, body.id]);
  });

  it('with the phone of one and the e-mail of another means the one with the phone', async () => {
    const [phone, email] = [newPhone(), newEmail()];
    const [one, other] = [await save({ phone }), await save({ email })];
    const both = await save({ phone, email });
    expect([both.status, both.body.id, both.body.email]).toEqual([200, one.body.id, null]);
    expect((await get(other.body.id)).body.email).toBe(email);
  });

  it('at once with others makes one customer', async () => {
    const phone = newPhone();
    const answers = await Promise.all(Array.from({ length: 10 }, () => save({ phone })));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array<number>(9).fill(200), 201]);
    expect(await listed({ phone })).toHaveLength(1);
  });

  it('at once by its e-mail alone and by its phone and e-mail makes one customer that has both', async () => {
    const [phone, email] = [newPhone(), newEmail()];
    const answers = await Promise.all([{ email }, { phone, email }, { email }, { phone, email }].map(save));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect((await get(answers[0]!.body.id)).body).toMatchObject({ phone, email });
  });
});

describe('a conversation', () => {
  it('makes its customer when it is new, and links the known one', async () => {
    const [phone, email] = [newPhone(), newEmail()];
    const first = await open({ phone });
    const second = await open({ phone, email });
    expect(second.body.customer_id).toBe(first.body.customer_id);
    expect((await open({ email })).body.customer_id).toBe(first.body.customer_id);
    expect((await get(first.body.customer_id)).body).toMatchObject({ phone, email });
    expect(await listed({ email })).toEqual([first.body.customer_id]);
  });

  it('names the member of its customer block that is wrong', async () => {
    expect(errorOf(await open({ phone: 'x' }))).toEqual([400, 'invalid_request_error', 'phone_invalid_format', 'phone']);
    expect(errorOf(await open({ email: 'x' }))).toEqual([400, 'invalid_request_error', 'email_invalid_format', 'email']);
    expect(errorOf(await open({})).slice(0, 3)).toEqual([400, 'invalid_request_error', 'parameter_missing']);
  });

  it('is found by its customer', async () => {
    const { body } = await open({ phone: newPhone() });
    const found = await app.api.get(`/v1/conversations?customer_id=${body.customer_id}`);
    expect(found.body.data.map(({ id }: { id: string }) => id)).toEqual([body.id]);
  });
});

describe('changing a customer', () => {
  it('changes what is named, and takes away what is null', async () => {
    const { body } = await save({ phone: newPhone(), name: 'Ann', external_id: 'crm', metadata: { a: 1 } });
    const email = newEmail();
    const changes = { name: null, external_id: 'crm-9', metadata: { b: 2 } };
    const changed = await patch(body.id, { email: email.toUpperCase(), ...changes });
    expect(changed.status).toBe(200);
    expect(changed.body).toEqual({ ...body, ...changes, email, updated_at: expect.stringMatching(TIME) });
    expect((await get(body.id)).text).toBe(changed.text);
    expect(await listed({ email })).toEqual([body.id]);
    const found = await app.api.get(`/v1/customers?${new URLSearchParams({ phone: body.phone })}`);
    expect(found.body.data).toEqual([changed.body]);
    expect((await patch(body.id, { external_id: null })).body.external_id).toBeNull();
  });

  it('to the phone or e-mail of another is refused, and the other named', async () => {
    const [phone, email] = [newPhone(), newEmail()];
    const holder = await save({ phone, email });
    const { body } = await save({ phone: newPhone() });
    for (const changes of [{ phone }, { email }]) {
      const refused = await patch(body.id, changes);
      expect(errorOf(refused).slice(0, 3)).toEqual([409, 'invalid_request_error', 'customer_exists']);
      expect(refused.body.error.existing_id).toBe(holder.body.id);
    }
    expect((await get(body.id)).body).toEqual(body);
  });

  it('keeps no phone that was refused together with a taken e-mail', async () => {
    const [phone, email] = [newPhone(), newEmail()];
    await save({ email });
    const { body } = await save({ phone: newPhone() });
    const refused = await patch(body.id, { phone, email });
    expect(errorOf(refused)).toEqual([409, 'invalid_request_error', 'customer_exists', 'email']);
    const other = await save({ phone });
    expect([other.status, other.body.phone]).toEqual([201, phone]);
    expect((await get(body.id)).body).toEqual(body);
    expect(await patch(body.id, { phone })).toMatchObject({ status: 409, body: { error: { existing_id: other.body.id } } });
  });

  it('frees the phone that was replaced', async () => {
    const [before, after] = [newPhone(), newPhone()];
    const { body } = await save({ phone: before });
    await patch(body.id, { phone: after });
    const other = await save({ phone: before });
    expect([other.status, other.body.id === body.id]).toEqual([201, false]);
    expect((await save({ phone: after })).body.id).toBe(body.id);
  });

  it('to what it is changes nothing', async () => {
    const { body } = await save({ phone: newPhone(), name: 'Ann' });
    expect((await patch(body.id, { phone: body.phone, name: 'Ann' })).body).toEqual(body);
    expect((await patch(body.id, {})).body).toEqual(body);
  });

  it.each([{ phone: 'x' }, { email: 'x' }, { name: 7 }, { metadata: [] }])('cannot be %j', async (changes) => {
    const { body } = await save({ phone: newPhone() });
    expect((await patch(body.id, changes)).status).toBe(400);
    expect((await get(body.id)).body).toEqual(body);
  });

  it('that nobody is, is refused', async () => {
    missing(await patch('cust_01J9Z3K8Q4T6V8X0A2C4E6G8J0', { name: 'Ann' }));
  });
});

describe('a deleted customer', () => {
  it('is told as deleted, then and later', async () => {
    const { body } = await save({ phone: newPhone() });
    const deleted = await remove(body.id);
    expect(deleted.status).toBe(200);
    expect(deleted.body).toEqual({ id: body.id, object: 'customer', deleted: true, deleted_at: expect.stringMatching(TIME) });
    expect((await remove(body.id)).text).toBe(deleted.text);
    const read = await get(body.id);
    expect([read.status, read.body.deleted, read.body.deleted_at]).toEqual([200, true, deleted.body.deleted_at]);
  });

  it('is in no list that does not ask for it', async () => {
    const phone = newPhone();
    const { body } = await save({ phone });
    await remove(body.id);
    expect(await listed({ phone })).toEqual([]);
    expect(await listed({ phone, include_deleted: 'false' })).toEqual([]);
    expect(await listed({ phone, include_deleted: 'true' })).toEqual([body.id]);
  });

  it('cannot be changed', async () => {
    const { body } = await save({ phone: newPhone() });
    await remove(body.id);
    missing(await patch(body.id, { name: 'Ann' }));
  });

  it('leaves phone and e-mail to a new one', async () => {
    const [phone, email] = [newPhone(), newEmail()];
    const { body } = await save({ phone, email });
    await remove(body.id);
    const fresh = await save({ phone, email });
    expect([fresh.status, fresh.body.id === body.id]).toEqual([201, false]);
    expect(await listed({ phone })).toEqual([fresh.body.id]);
  });

  it('is in nobody’s way who links it at that moment', async () => {
    const phone = newPhone();
    const { body } = await save({ phone });
    const [, ...opened] = await Promise.all([
      remove(body.id),
      ...Array.from({ length: 5 }, () => open({ phone, email: newEmail() })),
    ]);
    expect(opened.map(({ status }) => status)).toEqual(Array<number>(5).fill(201));
    expect(await listed({ phone })).toHaveLength(1);
  });

  it('stays named by the conversations it had', async () => {
    const { body } = await open({ phone: newPhone() });
    await remove(body.customer_id);
    expect((await app.api.get(`/v1/conversations/${body.id}`)).body.customer_id).toBe(body.customer_id);
  });

  it('must have been one', async () => {
    for (const id of ['cust_01J9Z3K8Q4T6V8X0A2C4E6G8J0', 'conv_01J9Z3K8Q4T6V8X0A2C4E6G8J0', 'x']) {
      missing(await remove(id));
      missing(await get(id));
    }
  });
});
