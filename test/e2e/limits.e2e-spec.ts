import { setTimeout as pause } from 'node:timers/promises';
import { App } from './harness/app.js';
import type { Answer, Client } from './harness/client.js';
import { errorOf } from './harness/expectations.js';

let app: App;
beforeAll(async () => void (app = await App.start({ RATE_LIMIT_READ: '5', RATE_LIMIT_WRITE: '0', RATE_LIMIT_MESSAGES: '0' })));
afterAll(() => app.dispose());

const tooLong = (param: string) => [400, 'invalid_request_error', 'parameter_too_long', param];

describe('lengths are counted in code points', () => {
  it('for content: 8000 emoji pass, 8001 do not', async () => {
    expect((await app.api.say('long', '😀'.repeat(8000))).status).toBe(200);
    expect(errorOf(await app.api.say('long', '😀'.repeat(8001)))).toEqual(tooLong('content'));
  });

  it('for content whose characters are all escaped', async () => {
    const body = `{"external_conversation_id":"escaped","content":"${'\\ud83d\\ude00'.repeat(8000)}"}`;
    const answer = await app.api.raw('POST', '/v1/messages', body, { 'content-type': 'application/json' });
    expect(answer.status).toBe(200);
  });

  it('for the thread id', async () => {
    expect((await app.api.say('é'.repeat(255), 'Hi')).status).toBe(200);
    expect(errorOf(await app.api.say('é'.repeat(256), 'Hi'))).toEqual(tooLong('external_conversation_id'));
    expect((await app.api.post('/v1/conversations', { external_id: '😀'.repeat(255) })).status).toBe(201);
    expect(errorOf(await app.api.post('/v1/conversations', { external_id: '😀'.repeat(256) }))).toEqual(tooLong('external_id'));
  });

  it('with base letters and their marks each being one', async () => {
    expect(errorOf(await app.api.say('marks', 'a\ufe0f'.repeat(4001)))).toEqual(tooLong('content'));
  });
});

describe('bodies of thousands of values', () => {
  const body = JSON.stringify({ external_conversation_id: 'crowded', content: 'Hi', ignored: Array<number>(10_000).fill(1) });

  const crowdOf = (client: Client) =>
    Promise.all(
      Array.from({ length: 140 }, () => client.raw('POST', '/v1/messages', body, { 'content-type': 'application/json' })),
    );

  it('are read one after the other, those of other projects between them', async () => {
    const other = await app.otherProject('between');
    const answered: string[] = [];
    const crowd = Array.from({ length: 20 }, async () => {
      const { status } = await app.api.raw('POST', '/v1/messages', body, { 'content-type': 'application/json' });
      answered.push(`crowd ${status}`);
    });
    for (let n = 0; n < 3; n++) {
      const answer = await other.raw('POST', '/v1/messages', body, { 'content-type': 'application/json' });
      answered.push(`other ${answer.status}`);
    }
    await Promise.all(crowd);
    expect(answered.filter((one) => one === 'crowd 200')).toHaveLength(20);
    expect(answered.lastIndexOf('other 200')).toBeLessThan(answered.length - 5);
  });

  it('are refused where too many wait, with what is left of the rate', async () => {
    const admin = await app.admin();
    const project = (await admin.post('/admin/v1/projects', { name: 'crowding' })).body.id;
    const { secret } = (await admin.post(`/admin/v1/projects/${project}/api_keys`, { name: 'k' })).body;
    await admin.patch(`/admin/v1/projects/${project}`, { rate_limits: { messages: 500 } });
    const crowd = await crowdOf(app.as(secret));
    const refused = crowd.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(crowd.filter(({ status }) => status === 200)).toHaveLength(140 - refused.length);
    for (const answer of refused) {
      expect(errorOf(answer)).toEqual([429, 'rate_limit_error', 'rate_limit_exceeded']);
      expect(['ratelimit-limit', 'retry-after'].map((name) => answer.headers.get(name))).toEqual(['1000', '1']);
      expect(Number(answer.headers.get('ratelimit-remaining'))).toBeGreaterThan(0);
    }
  });

  it('are forbidden to who may not write, however many wait', async () => {
    const crowd = await crowdOf(await app.otherProject('reading', ['conversations:read']));
    expect(new Set(crowd.map((answer) => answer.status))).toEqual(new Set([403]));
  });
});

describe('the rate limit', () => {
  const limited = (answer: Answer) => answer.status === 429;
  const manyTimes = (ask: () => Promise<Answer>) => Promise.all(Array.from({ length: 30 }, ask));
  const told = (answer: Answer | undefined, name: string) => Number(answer?.headers.get(`ratelimit-${name}`));

  it('lets a burst of twice the rate through, then says when to come back', async () => {
    const reader = await app.otherProject('burst');
    const since = performance.now();
    const answers = await manyTimes(() => reader.get('/v1/conversations'));
    const passed = answers.filter((answer) => !limited(answer));
    expect(passed.length).toBeGreaterThanOrEqual(10);
    expect(passed.length).toBeLessThanOrEqual(11 + ((performance.now() - since) / 1_000) * 5);
    const [refused] = answers.filter(limited);
    expect(refused && errorOf(refused)).toEqual([429, 'rate_limit_error', 'rate_limit_exceeded']);
    expect(refused?.headers.get('retry-after')).toBe('1');
    expect(refused?.headers.get('service-should-retry')).toBe('true');
    expect([told(refused, 'remaining'), told(refused, 'reset')]).toEqual([0, 2]);
  });

  it('gives back its rate with time, and never more than a burst', async () => {
    const reader = await app.otherProject('patient');
    const since = performance.now();
    await manyTimes(() => reader.get('/v1/conversations'));
    await pause(1_050);
    const back = await reader.get('/v1/conversations');
    expect([back.status, told(back, 'remaining') >= 4]).toEqual([200, true]);
    expect(told(back, 'remaining')).toBeLessThanOrEqual(((performance.now() - since) / 1_000) * 5);
    await pause(2_000);
    expect(told(await reader.get('/v1/conversations'), 'remaining')).toBe(9);
  });

  it('is one for each class of requests', async () => {
    const admin = await app.admin();
    const project = (await admin.post('/admin/v1/projects', { name: 'classes' })).body.id;
    const { secret } = (await admin.post(`/admin/v1/projects/${project}/api_keys`, { name: 'k' })).body;
    await admin.patch(`/admin/v1/projects/${project}`, { rate_limits: { read: 4, write: 6, messages: 8 } });
    const client = app.as(secret);
    const answers = [
      await client.get('/v1/conversations'),
      await client.post('/v1/conversations', {}),
      await client.say('classes', 'Hello'),
      await client.post('/v1/webhook_endpoints', { url: 'https://api.client.example/hooks' }),
    ];
    expect(answers.map((answer) => told(answer, 'remaining'))).toEqual([7, 11, 15, 19]);
    await admin.patch(`/admin/v1/projects/${project}`, { rate_limits: { write: 0 } });
    const unlimited = await client.post('/v1/webhook_endpoints', { url: 'https://api.client.example/hooks' });
    expect([unlimited.status, unlimited.headers.get('ratelimit')]).toEqual([201, null]);
  });

  it('is told on every answer', async () => {
    const reader = await app.otherProject('informed');
    const { headers } = await reader.get('/v1/conversations');
    expect(headers.get('ratelimit-policy')).toBe('"read";q=10;w=2');
    expect(headers.get('ratelimit')).toBe('"read";r=9;t=1');
    expect(['limit', 'remaining', 'reset'].map((name) => headers.get(`ratelimit-${name}`))).toEqual(['10', '9', '1']);
  });

  it('is one per project, whatever key is used', async () => {
    const admin = await app.admin();
    const project = (await admin.post('/admin/v1/projects', { name: 'shared' })).body.id;
    const keys = await Promise.all(
      ['a', 'b', 'c'].map(
        async (name) => (await admin.post(`/admin/v1/projects/${project}/api_keys`, { name })).body.secret as string,
      ),
    );
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => app.as(keys[index % 3] ?? null).get('/v1/conversations')),
    );
    expect(answers.some(limited)).toBe(true);
    const other = await app.otherProject('unconcerned');
    expect((await other.get('/v1/conversations')).status).toBe(200);
  });

  it('that is 0 is off, and then not told', async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, () => app.api.post('/v1/conversations', {})));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect(answers[0]?.headers.get('ratelimit')).toBeNull();
  });

  it('set for a project is obeyed by its next request', async () => {
    const admin = await app.admin();
    const project = (await admin.post('/admin/v1/projects', { name: 'changed' })).body.id;
    const { secret } = (await admin.post(`/admin/v1/projects/${project}/api_keys`, { name: 'k' })).body;
    await admin.patch(`/admin/v1/projects/${project}`, { rate_limits: { read: 50 } });
    expect((await app.as(secret).get('/v1/conversations')).headers.get('ratelimit-limit')).toBe('100');
  });

  it('comes before validation, and after the key and its scope', async () => {
    const admin = await app.admin();
    const project = (await admin.post('/admin/v1/projects', { name: 'order' })).body.id;
    const key = async (scopes: readonly string[]) =>
      app.as((await admin.post(`/admin/v1/projects/${project}/api_keys`, { name: 'k', scopes })).body.secret);
    const [reader, agent] = [await key(['conversations:read']), await key(['agent', 'conversations:write'])];
    await admin.patch(`/admin/v1/projects/${project}`, { rate_limits: { write: 1 } });
    const statuses = async (ask: () => Promise<Answer>) => new Set((await manyTimes(ask)).map(({ status }) => status));
    expect(await statuses(() => agent.get('/v1/conversations?limit=abc'))).toEqual(new Set([403]));
    expect(await statuses(() => reader.get('/v1/conversations?limit=abc'))).toEqual(new Set([400, 429]));
    expect(await statuses(() => reader.post('/v1/sessions', {}))).toEqual(new Set([403]));
    expect(await statuses(() => agent.post('/v1/sessions', {}))).toEqual(new Set([400, 429]));
  });
});
