import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { App, startThatEnds } from './harness/app.js';
import type { Client } from './harness/client.js';
import { eventually } from './harness/eventually.js';
import { errorOf } from './harness/expectations.js';
import { book } from './harness/ledger.js';
import { Backend, deliveryIn, LOCAL_HOOKS, replay, subscribe, type Hook } from './harness/receiver.js';

const MINUTE = 60_000;
const CLOCK = pathToFileURL(join(__dirname, 'harness/clock-ahead.mjs')).href;
const SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;

let app: App;
let backend: Backend;
let operator: Hook;
let minutesAhead = 0;
beforeAll(async () => {
  backend = await Backend.start();
  operator = backend.hook(200);
  const told = { OPERATOR_WEBHOOK_URL: operator.url, OPERATOR_WEBHOOK_SECRET: SECRET };
  const clock = { NODE_OPTIONS: `--import=${CLOCK}`, CLOCK_AHEAD_MS: '0' };
  app = await App.start({ ...LOCAL_HOOKS, RETRY_SCHEDULE: '0s,100ms,100ms,500ms', ...told, ...clock });
});
afterAll(() => Promise.all([app.dispose(), backend.close()]));

/** Restarts the service two minutes later. */
const twoMinutesLater = () => app.restart({ CLOCK_AHEAD_MS: String((minutesAhead += 2) * MINUTE) });

/** Waits for a project's issue of this kind. */
function issueOf(client: Client, kind: string, status = 'open') {
  return eventually(async () => {
    const { body } = await app.as(client.token).get(`/v1/issues?kind=${kind}`);
    expect(body.data.map((issue: { status: string }) => issue.status)).toEqual([status]);
    return body.data[0];
  });
}

/** Waits for the post of this name, and verifies it with the published library. */
function postOf(name: string) {
  return eventually(() => {
    const posts = operator.requests.filter(({ headers }) => headers['webhook-id'] === name);
    expect(posts).toHaveLength(1);
    const { headers, body } = posts[0]!;
    const sentAt = Number(headers['webhook-timestamp']);
    const now = jest.spyOn(Date, 'now').mockReturnValue(sentAt * 1_000);
    try {
      // oxlint-disable-next-line typescript/no-explicit-any
      return new Webhook(SECRET).verify(body, headers as Record<string, string>) as any;
    } finally {
      now.mockRestore();
    }
  });
}

describe('an endpoint that fails three times in a row', () => {
  it('is one issue that the operator is told of, and of its end a minute after a success', async () => {
    const hook = backend.hook(500, 500, 500, 200);
    const { client, id } = await subscribe(app, hook.url);
    await book(client);
    const issue = await issueOf(client, 'endpoint_failing');
    const project = (await client.get('/v1/issues')).body.data[0].project_id;
    expect(issue).toEqual({
      id: expect.stringMatching(/^iss_/),
      object: 'issue',
      kind: 'endpoint_failing',
      status: 'open',
      project_id: project,
      subject: { object: 'webhook_endpoint', id },
      title: expect.stringContaining('127.0.0.1'),
      cause: { code: 'http_500', message: 'The receiver answered 500.' },
      what_to_do: expect.any(String),
      count: 3,
      first_seen_at: expect.any(String),
      last_seen_at: expect.any(String),
      closed_at: null,
      closed_by: null,
    });
    expect((await client.get(`/v1/issues/${issue.id}`)).body).toEqual(issue);
    expect(await postOf(`${issue.id}.opened`)).toEqual({
      type: 'issue.opened',
      timestamp: expect.any(String),
      data: { ...issue, last_seen_at: expect.any(String) },
    });
    await deliveryIn('succeeded', client);
    await twoMinutesLater();
    const closed = await issueOf(client, 'endpoint_failing', 'closed');
    expect(closed).toMatchObject({ id: issue.id, count: 3, closed_by: 'resolved', closed_at: expect.any(String) });
    expect(await postOf(`${issue.id}.closed`)).toMatchObject({ type: 'issue.closed', data: { id: issue.id, status: 'closed' } });
  });
});

describe('a delivery that failed for good', () => {
  it('is an issue of its endpoint until the event has succeeded there', async () => {
    const { client, id } = await subscribe(app, backend.hook(404, 404, 200).url);
    await book(client);
    const failed = await deliveryIn('failed', client);
    const issue = await issueOf(client, 'deliveries_failed');
    expect(issue).toMatchObject({ subject: { id }, count: 1, cause: { code: 'delivery_failed' } });
    await replay(client, failed);
    await eventually(async () => expect((await client.get(`/v1/issues/${issue.id}`)).body.count).toBe(2));
    await replay(client, failed);
    await deliveryIn('succeeded', client);
    await twoMinutesLater();
    expect(await issueOf(client, 'deliveries_failed', 'closed')).toMatchObject({ id: issue.id, count: 2 });
  });
});

describe('an issue', () => {
  let client: Client;
  let issue: { readonly id: string; readonly subject: { readonly id: string } };
  beforeAll(async () => {
    ({ client } = await subscribe(app, backend.hook(404).url));
    await book(client);
    issue = await issueOf(client, 'deliveries_failed');
  });
  const fresh = (one: Client) => app.as(one.token);

  it('is found by its status, kind and subject', async () => {
    const found = async (query: string) =>
      (await fresh(client).get(`/v1/issues?${query}`)).body.data.map(({ id }: { id: string }) => id);
    expect(await found(`status=open&kind=deliveries_failed&subject_id=${issue.subject.id}`)).toEqual([issue.id]);
    expect(await found('status=closed')).toEqual([]);
    expect(await found('kind=agent_failing')).toEqual([]);
    expect(await found('subject_id=we_nobody')).toEqual([]);
    const refused = await fresh(client).get('/v1/issues?kind=nothing');
    expect(errorOf(refused)).toEqual([400, 'invalid_request_error', 'parameter_invalid', 'kind']);
  });

  it("is not another project's", async () => {
    const other = await app.otherProject('another');
    expect((await other.get('/v1/issues')).body.data).toEqual([]);
    for (const answer of [await other.get(`/v1/issues/${issue.id}`), await other.post(`/v1/issues/${issue.id}/dismiss`)])
      expect(errorOf(answer)).toEqual([404, 'invalid_request_error', 'resource_missing', 'id']);
  });

  it('is in the list of the administrator, and in the metrics', async () => {
    const admin = await app.admin();
    const { body } = await admin.get(`/admin/v1/issues?subject_id=${issue.subject.id}`);
    expect(body.data).toMatchObject([{ id: issue.id, kind: 'deliveries_failed' }]);
    expect((await admin.get(`/admin/v1/issues/${issue.id}`)).body).toMatchObject({ id: issue.id });
    expect((await admin.get('/admin/v1/issues/iss_nobody')).status).toBe(404);
    const { text } = await app.as(null).get('/metrics');
    expect(text).toMatch(/^issues_open\{kind="deliveries_failed"\} [1-9]/m);
  });

  it('is dismissed once, also by the administrator', async () => {
    const dismissed = await fresh(client).post(`/v1/issues/${issue.id}/dismiss`);
    expect([dismissed.status, dismissed.body]).toEqual([200, expect.objectContaining({ id: issue.id, status: 'dismissed' })]);
    const again = await (await app.admin()).post(`/admin/v1/issues/${issue.id}/dismiss`);
    expect([again.status, again.body.status]).toEqual([200, 'dismissed']);
    expect((await fresh(client).get('/v1/issues?status=dismissed')).body.data).toHaveLength(1);
  });
});

it.each([
  ['without its address', { OPERATOR_WEBHOOK_SECRET: SECRET }, 'OPERATOR_WEBHOOK_URL must be set'],
  ['without its secret', { OPERATOR_WEBHOOK_URL: 'http://127.0.0.1:9/' }, 'OPERATOR_WEBHOOK_SECRET must be set'],
  [
    'with a secret of another form',
    { OPERATOR_WEBHOOK_URL: 'http://127.0.0.1:9/', OPERATOR_WEBHOOK_SECRET: 'secret' },
    'OPERATOR_WEBHOOK_SECRET must be whsec_',
  ],
])("the operator's webhook %s is refused at the start", async (_, variables, line) => {
  const { code, stderr } = await startThatEnds(variables);
  expect([code, stderr]).toEqual([1, expect.stringContaining(line)]);
});
