import { App } from './harness/app.js';
import type { Answer } from './harness/client.js';
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

describe('the rate limit', () => {
  const limited = (answer: Answer) => answer.status === 429;

  it('lets a burst of twice the rate through, then says when to come back', async () => {
    const reader = await app.otherProject('burst');
    const answers = await Promise.all(Array.from({ length: 30 }, () => reader.get('/v1/conversations')));
    const passed = answers.filter((answer) => !limited(answer));
    expect(passed.length).toBeGreaterThanOrEqual(10);
    expect(passed.length).toBeLessThan(30);
    const [refused] = answers.filter(limited);
    expect(refused && errorOf(refused)).toEqual([429, 'rate_limit_error', 'rate_limit_exceeded']);
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(refused?.headers.get('service-should-retry')).toBe('true');
    expect(refused?.headers.get('ratelimit-remaining')).toBe('0');
  });

  it('is told on every answer', async () => {
    const reader = await app.otherProject('told');
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

  it('comes before validation, and after the key', async () => {
    const reader = await app.otherProject('order');
    const answers = await Promise.all(Array.from({ length: 30 }, () => reader.get('/v1/conversations?limit=abc')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400, 429]));
  });
});
