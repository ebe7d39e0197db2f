import { App } from './harness/app.js';
import { eventually } from './harness/eventually.js';
import { book } from './harness/ledger.js';
import { Backend, deliveryIn, LOCAL_HOOKS, subscribe } from './harness/receiver.js';

const SECRETS = ['of-the-url', 'of-the-body', 'of-the-header', 'of-the-appointment', '+4915112345678', 'answered'];

let app: App;
let backend: Backend;
beforeAll(async () => {
  [app, backend] = await Promise.all([App.start({ ...LOCAL_HOOKS, LOG_LEVEL: 'debug' }), Backend.start()]);
});
afterAll(() => Promise.all([app.dispose(), backend.close()]));

/** The log's lines about an endpoint. */
// oxlint-disable-next-line typescript/no-explicit-any
function linesOf(endpointId: string): any[] {
  const lines = app.log.split('\n').filter((line) => line.startsWith('{') && line.endsWith('}'));
  return lines.map((line) => JSON.parse(line)).filter(({ endpoint_id: id }) => id === endpointId);
}

const WARN = 40;
const DEBUG = 20;

describe('the log', () => {
  it('says which delivery failed for good, why and after how many attempts, and that its endpoint began to fail', async () => {
    const { client, id } = await subscribe(app, backend.hook(503).url);
    await book(client);
    const delivery = await deliveryIn('failed', client);
    const about = { event_id: delivery.event_id, delivery_id: delivery.id, endpoint_id: id };
    await eventually(() => {
      const attempts = linesOf(id).filter(({ level }) => level === DEBUG);
      expect(attempts).toMatchObject([1, 2, 3].map((attempt) => ({ ...about, attempt, response_status: 503 })));
      const failing_since = delivery.attempts[0].started_at;
      expect(linesOf(id).filter(({ level }) => level === WARN)).toMatchObject([
        { msg: 'webhook endpoint began to fail', endpoint_id: id, failing_since },
        { ...about, msg: 'webhook delivery failed for good', reason: 'attempts_exhausted', attempts: 3 },
      ]);
    });
  });

  it('says once that an endpoint is well again', async () => {
    const { client, id } = await subscribe(app, backend.hook(404, 200).url);
    for (const state of ['failed', 'succeeded', 'succeeded']) {
      const { body } = await book(client);
      const [event] = (await client.get(`/v1/events?object_id=${body.id}`)).body.data;
      await deliveryIn(state, client, event.id);
    }
    await eventually(() => {
      const warned = linesOf(id).filter(({ level }) => level === WARN);
      expect(warned.map(({ msg }) => msg)).toEqual([
        'webhook delivery failed for good',
        'webhook endpoint began to fail',
        'webhook endpoint is well again',
      ]);
    });
  });

  it('says nothing of what was sent, of what the receiver answered, nor of its address', async () => {
    const hook = backend.hook((_, response) => response.writeHead(400, { 'x-a': 'of-the-header' }).end('of-the-body'));
    const headers = { 'X-Token': 'of-the-header' };
    const { client, id } = await subscribe(app, `${hook.url}?token=of-the-url`, { headers });
    const customer = { phone: '+4915112345678' };
    await book(client, { metadata: { note: 'of-the-appointment' }, customer });
    await deliveryIn('failed', client);
    await eventually(() => expect(linesOf(id).length).toBeGreaterThan(2));
    for (const secret of SECRETS) expect(app.log).not.toContain(secret);
  });
});
