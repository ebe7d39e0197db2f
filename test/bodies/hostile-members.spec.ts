import * as fc from 'fast-check';
import { hostileBody, hostileJson } from './hostile-json.js';
import { BodiesWorld, type RouteWithBody } from './bodies-world.js';

const BODIES_PER_ROUTE = 40;
/** Its handler is that of a client's route. */
const BODIES_PER_MOUNTED_ROUTE = 10;
/** A project has at most 50 endpoints. */
const METADATA_PER_COLLECTION = 5;
const NOBODY = 'nobody';

let world: BodiesWorld;
beforeAll(async () => void (world = await BodiesWorld.start()));
afterAll(() => world.close());

let count = 0;
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString();

/** Valid bodies for what can be made, by the collection, the part of a path that an id follows. */
const MAKERS: Readonly<Record<string, () => object>> = {
  conversations: () => ({}),
  customers: () => ({ phone: `+49151${String(++count).padStart(8, '0')}` }),
  sessions: () => ({ direction: 'inbound' }),
  appointments: () => ({ service: `haircut ${++count}`, starts_at: tomorrow() }),
  webhook_endpoints: () => ({ url: 'https://receiver.example/hooks' }),
  projects: () => ({ name: 'another' }),
  api_keys: () => ({ name: 'key' }),
};

/** The route's path with the ids of new things. */
async function pathOf({ url }: RouteWithBody): Promise<string> {
  let path = '';
  for (const part of url.split('/').slice(1)) {
    const [collection = ''] = path.split('/').slice(-1);
    const made = part.startsWith(':') ? MAKERS[collection]?.() : undefined;
    const id = made && (await world.send('POST', path, JSON.stringify(made))).id;
    path += `/${part.startsWith(':') ? id || NOBODY : part}`;
  }
  return path;
}

describe('a body with members and values that are named as those of every object', () => {
  it('is never answered with a fault of the service, on any route and at any depth', async () => {
    expect(new Set(world.routes.map(({ access }) => access))).toEqual(new Set(['project', 'admin-project', 'admin', 'login']));
    for (const route of world.routes) {
      const path = await pathOf(route);
      const body = hostileBody(route.body);
      await fc.assert(
        fc.asyncProperty(body, async (text) => {
          const { status } = await world.send(route.method, path, text);
          expect([route.method, route.url, status < 500 ? 'answered' : status]).toEqual([route.method, route.url, 'answered']);
        }),
        { numRuns: route.access === 'admin-project' ? BODIES_PER_MOUNTED_ROUTE : BODIES_PER_ROUTE },
      );
    }
  });

  it.each([
    ['POST', '/v1/messages', '{"external_conversation_id":"t","content":{"constructor":1}}', 'content'],
    ['POST', '/v1/conversations', '{"external_id":"x","customer":{"phone":{"constructor":{}}}}', 'phone'],
    ['POST', '/v1/conversations', '{"customer":[{"constructor":1}]}', 'customer'],
    ['POST', '/v1/customers', '{"phone":"+4915112345678","external_id":{"toString":1}}', 'external_id'],
    ['POST', '/v1/webhook_endpoints', '{"url":"https://a.example","event_filters":[{"constructor":1}]}', 'event_filters'],
    ['POST', '/v1/webhook_endpoints', '{"url":"https://a.example","headers":{"__proto__":{"then":1}}}', 'headers'],
    ['POST', '/admin/v1/login', '{"password":{"constructor":1}}', 'password'],
    ['POST', '/admin/v1/projects', '{"name":{"constructor":{"prototype":{}}}}', 'name'],
  ] as const)('is refused where it is wrong: %s %s %s', async (method, path, body, param) => {
    const { status, text } = await world.send(method, path, body);
    expect([status, (JSON.parse(text) as { error: { param: string } }).error.param]).toEqual([400, param]);
  });

  it.each(['{"__proto__":{"content":"Hello"}}', '{"constructor":{"content":"Hello"}}'])(
    'gives nothing that it does not hold itself: %s',
    async (body) => {
      const { status, text } = await world.send('POST', await pathOf(messages()), body);
      expect([status, text]).toEqual([400, expect.stringContaining('"param":"content"')]);
    },
  );

  it.each(['conversations', 'customers', 'sessions', 'appointments', 'webhook_endpoints'])(
    'comes back as it was sent in the metadata of %s',
    async (collection) => {
      const metadata = hostileJson(6).map((inner) => `{"constructor":${inner},"toJSON":${inner}}`);
      await fc.assert(
        fc.asyncProperty(metadata, async (text) => {
          const body = JSON.stringify(MAKERS[collection]?.());
          const sent = `{"metadata":${text},${body.slice(1)}`.replace(',}', '}');
          const answer = await world.send('POST', `/v1/${collection}`, sent);
          expect([answer.status, answer.text]).toEqual([201, expect.stringContaining(`"metadata":${text},`)]);
        }),
        { numRuns: METADATA_PER_COLLECTION },
      );
    },
  );
});

function messages(): RouteWithBody {
  const route = world.routes.find(({ url }) => url === '/v1/conversations/:id/messages');
  if (!route) throw new Error('There is no such route.');
  return route;
}
