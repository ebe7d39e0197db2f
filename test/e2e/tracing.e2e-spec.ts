import { App } from './harness/app.js';
import { clientTrace, oneTrace } from './harness/one-trace.contract.js';
import type { Client } from './harness/client.js';
import { Collector } from './harness/collector.js';
import { eventually } from './harness/eventually.js';
import { book } from './harness/ledger.js';
import { Backend, deliveryIn, LOCAL_HOOKS } from './harness/receiver.js';

const NAME = 'conversation-webhook-service';

oneTrace(
  async (variables) => {
    const app = await App.start(variables);
    return { gateway: app, others: [], dispose: () => app.dispose() };
  },
  { gateway: NAME, projections: NAME, delivery: NAME },
);

const PRIVATE = {
  content: 'Book me a haircut tomorrow at 10am, says Ada Lovelace',
  phone: '+4915123456789',
  email: 'ada.lovelace@example.com',
  name: 'Ada-of-the-card',
  service: 'secret-haircut',
  metadata: 'value-of-metadata',
  thread: 'thread-of-ada',
  key: 'idempotency-key-of-ada',
  query: 'query-of-a-list',
  header: 'value-of-a-custom-header',
  path: 'path-of-the-receiver',
  token: 'token-in-a-query',
  client: 'request-id-of-the-client',
  agent: 'user-agent-of-the-client',
  state: 'vendor-of-tracestate',
};

const UNKNOWN_KEY = 'sk_of_nobody_0123456789abcdef';

/** Sends everything private in requests of one trace; resolves to the secret of the endpoint that it makes. */
async function sayAll(api: Client, url: string, trace: Readonly<Record<string, string>>): Promise<string> {
  const names = { 'user-agent': PRIVATE.agent, 'x-request-id': PRIVATE.client };
  const headers = { ...trace, ...names, tracestate: `vendor=${PRIVATE.state}` };
  const endpoint = { url: `${url}?${PRIVATE.path}=${PRIVATE.token}`, headers: { 'X-Auth': PRIVATE.header } };
  const { body } = await api.post('/v1/webhook_endpoints', endpoint, headers);
  const customer = { phone: PRIVATE.phone, email: PRIVATE.email, name: PRIVATE.name, metadata: { note: PRIVATE.metadata } };
  await api.say(PRIVATE.thread, PRIVATE.content, { customer }, { ...headers, 'idempotency-key': PRIVATE.key });
  await api.say(PRIVATE.thread, 'Book a haircut tomorrow at 10am', {}, headers);
  await book(api, { service: PRIVATE.service, customer }, headers);
  await api.get(`/v1/customers?phone=${encodeURIComponent(PRIVATE.phone)}&unheard_of=${PRIVATE.query}`, headers);
  await api.get(`/v1/unheard-of/${PRIVATE.path}`, headers);
  await api.post('/v1/messages', { content: PRIVATE.content, [PRIVATE.metadata]: 1 }, headers);
  return body.secret;
}

describe('what a collector gets of a service', () => {
  const trace = clientTrace();
  let [collector, backend]: [Collector, Backend] = [null as never, null as never];
  let [signingSecret, log] = ['', ''];

  beforeAll(async () => {
    [collector, backend] = [await Collector.start(), await Backend.start()];
    const app = await App.start({ ...LOCAL_HOOKS, ...collector.variables });
    signingSecret = await sayAll(app.api, backend.hook(404).url, trace.headers);
    await app.as(UNKNOWN_KEY).get('/v1/customers', trace.headers);
    await deliveryIn('failed', app.api);
    await app.stop();
    log = app.log;
    await app.dispose();
  });
  afterAll(() => Promise.all([collector.close(), backend.close()]));

  it('shows requests, the agent with its tools, and the webhooks', () => {
    const names = new Set(collector.spans(trace.traceId).map(({ name }) => name));
    const expected = ['POST /v1/messages', 'POST /v1/appointments', 'GET /v1/customers', 'agent', 'tool', 'fan-out', 'attempt'];
    expect([...names]).toEqual(expect.arrayContaining(expected));
    const tools = collector.spans().filter(({ name }) => name === 'tool');
    expect(tools.map(({ attributes }) => attributes['tool'])).toEqual(expect.arrayContaining([expect.any(String)]));
  });

  it('says why a request was refused', () => {
    const refused = collector.spans().filter(({ attributes }) => Number(attributes['http.response.status_code']) >= 400);
    const told = refused.map(({ attributes }) => [attributes['http.response.status_code'], attributes['error.type']]);
    expect(told).toEqual(expect.arrayContaining([[401, 'api_key_invalid']]));
  });

  it.each(Object.entries(PRIVATE))('has nothing of the %s that a client sent', (_, value) => {
    expect(collector.bytes.length).toBeGreaterThan(0);
    for (const text of [value, encodeURIComponent(value), ...value.split(' ').filter((word) => word.length > 7)])
      expect(collector.bytes.includes(text)).toBe(false);
  });

  it('has no secret, no address and no text of a failure', () => {
    for (const secret of [signingSecret, UNKNOWN_KEY]) expect(collector.bytes.includes(secret)).toBe(false);
    expect(collector.bytes.includes('127.0.0.1')).toBe(false);
    expect(collector.bytes.includes('    at ')).toBe(false);
    expect(log.includes(PRIVATE.state)).toBe(false);
  });
});

describe('a collector that takes nothing', () => {
  const trace = clientTrace();

  it.each([
    ['is away', 'away'],
    ['answers 500', 'refusing'],
    ['never answers', 'silent'],
  ])('and %s disturbs no request, is told of once in the log, and does not hold up the end', async (_, kind) => {
    const collector = await Collector.start((_request, response) => {
      if (kind !== 'silent') response.writeHead(500).end();
    });
    const { variables } = collector;
    if (kind === 'away') await collector.close();
    const app = await App.start(variables);
    for (let count = 0; count < 30; count++) expect((await book(app.api, {}, trace.headers)).status).toBe(201);
    const lines = () => app.log.split('\n').filter((line) => line.includes('the collector takes no spans'));
    if (kind !== 'silent') await eventually(() => expect(lines()).toHaveLength(1));
    const begun = performance.now();
    expect(await app.stop()).toBe(0);
    expect(performance.now() - begun).toBeLessThan(15_000);
    expect(lines().length).toBeLessThanOrEqual(1);
    await app.dispose();
    if (kind !== 'away') await collector.close();
  });
});

describe('a service without a collector', () => {
  it('traces nothing: no webhook has a trace of ours, and a custom header of that name is sent as it is', async () => {
    const [app, backend] = [await App.start(LOCAL_HOOKS), await Backend.start()];
    const [plain, custom] = [backend.hook(200), backend.hook(200)];
    await app.api.post('/v1/webhook_endpoints', { url: plain.url });
    await app.api.post('/v1/webhook_endpoints', { url: custom.url, headers: { traceparent: 'of the receiver' } });
    await book(app.api, {}, clientTrace().headers);
    const [first] = await plain.received();
    const [second] = await custom.received();
    expect([first?.headers['traceparent'], second?.headers['traceparent']]).toEqual([undefined, 'of the receiver']);
    expect(app.log).not.toContain('trace_id');
    await Promise.all([app.dispose(), backend.close()]);
  });
});
