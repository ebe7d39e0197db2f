import { App } from './harness/app.js';

let app: App;
beforeAll(async () => void (app = await App.start()));
afterAll(() => app.dispose());

let count = 0;
const save = (customer: object) => app.api.post('/v1/customers', customer);

async function listed(email: string): Promise<string[]> {
  const { body } = await app.api.get(`/v1/customers?${new URLSearchParams({ email })}`);
  return body.data.map(({ id }: { id: string }) => id);
}

describe('a customer known', () => {
  it.each([
    ['münchen.de', 'xn--mnchen-3ya.de'],
    ['ПРИМЕР.рф', 'xn--e1afmkfd.xn--p1ai'],
  ])('by e-mail takes the host %s as %s, however it is written', async (host, ascii) => {
    const name = `müller${++count}`;
    const { body } = await save({ email: `${name.toUpperCase()}@${host}` });
    expect(body.email).toBe(`${name}@${ascii}`);
    for (const email of [`${name}@${host.toLowerCase()}`, `${name}@${ascii.toUpperCase()}`]) {
      expect([email, (await save({ email })).body.id]).toEqual([email, body.id]);
      expect(await listed(email)).toEqual([body.id]);
      const thread = await app.api.post('/v1/conversations', { customer: { email } });
      expect(thread.body.customer_id).toBe(body.id);
    }
    const other = await save({ phone: `+49151${1_000_000 + ++count}` });
    const taken = await app.api.patch(`/v1/customers/${other.body.id}`, { email: `${name}@${host}` });
    expect([taken.body.error.code, taken.body.error.existing_id]).toEqual(['customer_exists', body.id]);
  });
});
