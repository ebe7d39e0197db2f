import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ADMIN_PASSWORD, API_KEY, App, startThatEnds } from './harness/app.js';
import type { Answer } from './harness/client.js';
import { eventually } from './harness/eventually.js';
import { book } from './harness/ledger.js';
import { RecordingModel } from './harness/recording-model.js';
import { Backend, LOCAL_HOOKS, subscribe } from './harness/receiver.js';

const PHONE = '+4915199988877';
const CANARY = 'canary-content-4711';

const linesOf = (stderr: string) => stderr.split('\n').filter((line) => line !== '');

const SERVERS_AWAY = {
  ENGINE: 'cluster',
  SECRETS_KEY: Buffer.alloc(32).toString('base64'),
  EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false',
  MONGODB_URL: 'mongodb://127.0.0.1:1/x',
  KAFKA_BROKERS: '127.0.0.1:1',
};

let app: App;
/** Begun first, because it waits for half a minute. */
let startWithoutServers: ReturnType<typeof startThatEnds>;
beforeAll(async () => {
  startWithoutServers = startThatEnds(SERVERS_AWAY);
  app = await App.start({ LOG_LEVEL: 'trace' });
});
afterAll(() => app.dispose());

describe('operators can ask', () => {
  it('whether the process lives and serves', async () => {
    expect((await app.as(null).get('/health')).body).toEqual({ status: 'ok' });
    const ready = await app.as(null).get('/ready');
    expect([ready.status, ready.body.status]).toEqual([200, 'ready']);
  });

  it('for metrics by route, in which no id is a label', async () => {
    await app.api.get('/v1/conversations/conv_01J9Z3K8Q4T6V8X0A2C4E6G8J0');
    const { text, headers } = await app.as(null).get('/metrics');
    expect(headers.get('content-type')).toContain('text/plain');
    expect(text).toContain('http_request_duration_seconds_count{method="GET",route="/v1/conversations/:id",status="404"}');
    expect(text).toContain('nodejs_eventloop_lag');
    expect(text).not.toContain('conv_');
  });

  it.each([
    ['gauge', 'webhook_deliveries_overdue'],
    ['counter', 'webhook_deliveries_total'],
    ['counter', 'webhook_attempts_total'],
    ['gauge', 'webhook_attempts_in_flight'],
    ['counter', 'webhook_pointers_unreadable_total'],
    ['gauge', 'part_ready'],
    ['gauge', 'webhook_topic_lag_messages'],
    ['gauge', 'webhook_deliveries_waiting'],
    ['gauge', 'build_info'],
    ['counter', 'agent_turns_total'],
    ['gauge', 'agent_failing_seconds'],
    ['histogram', 'agent_turn_duration_seconds'],
    ['gauge', 'projection_lag_seconds'],
    ['counter', 'projection_skipped_events_total'],
    ['counter', 'projection_refused_rows_total'],
    ['counter', 'projection_restarts_total'],
    ['counter', 'reactor_skipped_events_total'],
    ['gauge', 'reactor_waiting_events'],
    ['counter', 'reactor_restarts_total'],
    ['counter', 'sweep_failures_total'],
    ['histogram', 'http_request_duration_seconds'],
    ['gauge', 'nodejs_eventloop_lag_seconds'],
  ])('for the %s %s', async (type, name) => {
    expect((await app.as(null).get('/metrics')).text).toContain(`# TYPE ${name} ${type}\n`);
  });

  it('what attempts of webhooks came to, and how deliveries ended', async () => {
    const [service, backend] = await Promise.all([App.start({ ...LOCAL_HOOKS, RETRY_SCHEDULE: '0s,100ms' }), Backend.start()]);
    try {
      for (const answers of [[503, 204], [410], [503, 503]]) {
        const { client } = await subscribe(service, backend.hook(...answers).url);
        await book(client);
      }
      await eventually(async () => {
        const { text } = await service.as(null).get('/metrics');
        const figures = Object.fromEntries(
          [...text.matchAll(/^webhook_(\w+_total)\{\w+="(\w+)"\} (\d+)$/gm)].map(([, name, label, count]) => [
            `${name} ${label}`,
            Number(count),
          ]),
        );
        expect(figures).toEqual({
          'attempts_total 2xx': 1,
          'attempts_total 4xx': 1,
          'attempts_total 5xx': 3,
          'deliveries_total succeeded': 1,
          'deliveries_total failed': 2,
          'deliveries_total cancelled': 0,
        });
      });
    } finally {
      await Promise.all([service.dispose(), backend.close()]);
    }
  });

  it('how long requests took in seconds, those for addresses nobody serves under one name', async () => {
    const since = performance.now();
    for (const path of ['/nothing-1', '/nothing-2']) await app.as(null).get(path);
    const { text } = await app.as(null).get('/metrics');
    const figure = (name: string) => Number(new RegExp(`^${name}\\{.*route="unrouted".*\\} (\\S+)$`, 'm').exec(text)?.[1]);
    expect(figure('http_request_duration_seconds_count')).toBe(2);
    expect(figure('http_request_duration_seconds_sum')).toBeLessThan((performance.now() - since) / 1_000);
    expect(text).not.toContain('nothing-');
  });
});

describe('a start', () => {
  it('tells a person everything that it made, once', async () => {
    const making = await App.start({ BOOTSTRAP_API_KEY: '', ADMIN_PASSWORD: '' });
    const [, key = ''] = /API key +(sk_\S+)/.exec(making.stdout) ?? [];
    const [, password = ''] = /Admin password +(\S+)/.exec(making.stdout) ?? [];
    expect(making.stdout).toMatch(/curl -sS http:\S+\/v1\/messages/);
    await making.restart();
    const [said, { status }] = [making.stdout + making.log, await making.as(key).get('/v1/conversations')];
    await making.dispose();
    expect(said).toMatch(/^Listening on http:\/\/127\.0\.0\.1:\d+$/m);
    expect(said).not.toMatch(/API key|Admin password/);
    expect([said.includes(key), said.includes(password), status]).toEqual([false, false, 200]);
  });

  it('prints nothing that was preset, at the first time or later', async () => {
    const first = app.stdout;
    await app.restart();
    const said = [first, app.stdout, app.log].join();
    expect(first).toMatch(/API key +as set in BOOTSTRAP_API_KEY\n +Admin password +as set in ADMIN_PASSWORD\n/);
    for (const preset of [API_KEY, ADMIN_PASSWORD]) expect(said).not.toContain(preset);
  });

  it.each([
    ['ENGINE', 'memory'],
    ['RETRY_SCHEDULE', '0s,soon'],
    ['HOST', '203.0.113.1'],
    ['HOST', 'nowhere.invalid'],
  ])('with %s=%s is refused in one line that names it', async (name, value) => {
    const { code, stderr } = await startThatEnds({ [name]: value });
    expect(code).toBe(1);
    expect(linesOf(stderr)).toEqual([expect.stringMatching(new RegExp(`^${name}\\b`))]);
  });

  it('on a port in use is refused in one line that names it', async () => {
    const port = new URL(app.url).port;
    const { code, stderr } = await startThatEnds({ PORT: port });
    expect([code, linesOf(stderr)]).toEqual([1, [`PORT ${port} of 127.0.0.1 is in use by another process`]]);
  });

  it('prints a curl line that works when pasted where the key is set, whatever is in it', async () => {
    const key = `sk_it's-"my"-own-$HOME-key-0123456789`;
    const quoting = await App.start({ BOOTSTRAP_API_KEY: key });
    const [, typed = ''] = /curl -sS (.+)/.exec(quoting.stdout) ?? [];
    const { stdout } = await promisify(execFile)('sh', ['-c', `printf '%s\\n' ${typed}`], { env: { BOOTSTRAP_API_KEY: key } });
    const [url, , authorization, , contentType, , idempotencyKey, , body = ''] = stdout.trimEnd().split('\n');
    await quoting.dispose();
    expect([url, authorization, contentType, idempotencyKey]).toEqual([
      `${quoting.url}/v1/messages`,
      `Authorization: Bearer ${key}`,
      'Content-Type: application/json',
      'Idempotency-Key: first-message',
    ]);
    expect(JSON.parse(body)).toEqual({ external_conversation_id: 'first-thread', content: 'Hello' });
  });
});

describe('the log', () => {
  it('has one line per request and nothing personal', async () => {
    const sent = await app.api.say('logged', CANARY, { customer: { phone: PHONE, email: 'canary@example.com' } });
    await app.as('sk_canary_canary_canary_canary').get('/v1/conversations');
    await app.api.raw('POST', '/v1/messages', `{"content":"${CANARY}`, { 'content-type': 'application/json' });
    const named = (name: string) => app.api.get('/v1/conversations', { 'x-request-id': name });
    const ours = await Promise.all(['call-4711', '0190f5a2-6b1e-7c3d-9e4f-a1b2c3d4e5f6', PHONE, 'canary@example.com'].map(named));
    await app.restart();
    const lines = app.log.split('\n').filter((line) => line !== '');
    const line = lines.map((one) => JSON.parse(one)).find(({ request_id }) => request_id === sent.headers.get('request-id'));
    expect(line).toMatchObject({ method: 'POST', route: '/v1/messages', status: 200, duration_ms: expect.any(Number) });
    expect(line.project_id).toMatch(/^prj_/);
    const calledBy = ({ headers }: Answer) =>
      lines.map((one) => JSON.parse(one)).find(({ request_id }) => request_id === headers.get('request-id'))?.client_request_id;
    expect(ours.map(calledBy)).toEqual(['call-4711', '0190f5a2-6b1e-7c3d-9e4f-a1b2c3d4e5f6', undefined, undefined]);
    for (const secret of [CANARY, PHONE, 'canary@example.com', 'sk_canary', API_KEY, ADMIN_PASSWORD]) {
      expect(app.log).not.toContain(secret);
    }
  });
});

describe('at its end', () => {
  it('the service answers what it was asked, exits with 0 and has lost nothing', async () => {
    const model = await RecordingModel.start();
    const asking = await App.start(model.variables);
    const release = model.hold();
    const posts = Array.from({ length: 60 }, (_, index) => asking.api.say(`ending-${index}`, 'Hello'));
    await eventually(() => expect(model.asked).toHaveLength(posts.length));
    const ended = asking.stop();
    await eventually(() => expect(asking.api.get('/health')).rejects.toThrow());
    release();
    const answers = await Promise.all(posts);
    expect(await ended).toBe(0);
    await asking.restart();
    for (const { status, body } of answers) {
      expect([status, body.reply.content]).toEqual([200, 'Echo: Hello']);
      expect((await asking.api.get(`/v1/conversations/${body.conversation_id}/messages`)).body.data).toHaveLength(2);
    }
    await asking.dispose();
    await model.stop();
  });

  it('the service has what it answered while it went, whatever was cut off', async () => {
    const talk = () => Array.from({ length: 200 }, (_, index) => app.api.say(`going-${index}`, 'Hello'));
    await Promise.all(talk());
    const posts = talk();
    const outcomes = Promise.allSettled(posts);
    await Promise.race(posts);
    const code = await app.stop();
    // The service may close a connection that is idle or whose request it has not received yet.
    const answers = (await outcomes).flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    expect([code, answers.length > 0]).toEqual([0, true]);
    await app.restart();
    for (const { status, body } of answers) {
      expect(status).toBe(200);
      expect((await app.api.get(`/v1/conversations/${body.conversation_id}/messages`)).body.data).toHaveLength(4);
    }
  });

  it('no secret is left readable in what it has stored', async () => {
    const key = { 'idempotency-key': 'at-rest' };
    await app.api.say('at-rest', 'Hello', {}, key);
    await app.stop();
    const stored = await app.stored();
    expect([API_KEY, ADMIN_PASSWORD].map((secret) => stored.includes(secret))).toEqual([false, false]);
    await app.restart();
  });
});

describe('a start on servers that are all away', () => {
  it('waits for them, and is refused in a line that names one of them', async () => {
    const { code, stderr } = await startWithoutServers;
    expect(code).toBe(1);
    const told = linesOf(stderr).filter((line) => !line.startsWith('{'));
    expect(told).toEqual([expect.stringMatching(/^(EVENTSTORE_URL|MONGODB_URL)\b.*127\.0\.0\.1:1/)]);
  });
});
