import { App } from './harness/app.js';
import type { Answer } from './harness/client.js';
import { errorOf } from './harness/expectations.js';

let app: App;
beforeAll(async () => void (app = await App.start()));
afterAll(() => app.dispose());

let count = 0;
const newKey = () => ({ 'idempotency-key': `key-${++count}` });
const isReplay = ({ headers }: Answer) => headers.get('idempotent-replayed') === 'true';
const messagesOf = async (id: string) => (await app.api.get(`/v1/conversations/${id}/messages`)).body.data as { id: string }[];

describe('the same key with the same body', () => {
  it('gets the same answer, byte by byte, and does nothing again', async () => {
    const key = newKey();
    const first = await app.api.say('replayed', 'Hello', {}, key);
    const again = await app.api.say('replayed', 'Hello', {}, key);
    expect(isReplay(first)).toBe(false);
    expect(isReplay(again)).toBe(true);
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'));
    expect(again.headers.get('original-request')).toBe(first.headers.get('request-id'));
    expect(again.headers.get('request-id')).not.toBe(first.headers.get('request-id'));
    expect(await messagesOf(first.body.conversation_id)).toHaveLength(2);
  });

  it('is the same however the client writes it', async () => {
    const key = { ...newKey(), 'content-type': 'application/json' };
    const ways = [
      '{"external_id":"ways","metadata":{"a":1.50,"b":[{"c":"é"}],"n":12345678901234567890}}',
      '{ "metadata": { "b": [ {"c":"\\u00e9"} ], "n":12345678901234567890, "a":1.5 }, "external_id":"ways" }',
    ];
    const [first, again] = [
      await app.api.raw('POST', '/v1/conversations', ways[0], key),
      await app.api.raw('POST', '/v1/conversations', ways[1], key),
    ];
    expect(first.status).toBe(201);
    expect([again.status, again.text]).toEqual([201, first.text]);
    const other = await app.api.raw('POST', '/v1/conversations', ways[0]?.replace('67890', '67891'), key);
    expect(errorOf(other)).toEqual([422, 'idempotency_error', 'idempotency_key_reused']);
  });

  it('is the same with null for what is absent, and with members that the route ignores', async () => {
    const key = newKey();
    const customer = { phone: '+4915199900001' };
    const first = await app.api.post('/v1/conversations', { external_id: 'serializers', customer }, key);
    for (const body of [
      { external_id: 'serializers', customer, metadata: null },
      { external_id: 'serializers', customer: { ...customer, name: null, nickname: 'x' }, sdk: '2.0' },
    ]) {
      const again = await app.api.post('/v1/conversations', body, key);
      expect([again.status, again.text]).toEqual([201, first.text]);
    }
    const other = { external_id: 'serializers', customer: { ...customer, name: 'Anna' } };
    expect((await app.api.post('/v1/conversations', other, key)).status).toBe(422);
  });

  it('is another where null empties a member in a change', async () => {
    const { body } = await app.api.post('/v1/customers', { phone: '+4915199900002', name: 'Anna' });
    const key = newKey();
    await app.api.patch(`/v1/customers/${body.id}`, { external_id: 'crm-1' }, key);
    const path = `/v1/customers/${body.id}`;
    expect((await app.api.patch(path, { external_id: 'crm-1', email: null }, key)).status).toBe(200);
    expect((await app.api.patch(path, { external_id: 'crm-1', name: null }, key)).status).toBe(422);
  });

  it('is another where null empties the zone of a conversation, and the same with null in the customer whom it names', async () => {
    const path = `/v1/conversations/${(await app.api.post('/v1/conversations', { time_zone: 'Europe/Berlin' })).body.id}`;
    const [key, customer] = [newKey(), { phone: '+4915199900003' }];
    expect((await app.api.patch(path, { customer }, key)).body.time_zone).toBe('Europe/Berlin');
    expect((await app.api.patch(path, { customer, time_zone: null }, key)).status).toBe(422);
    expect((await app.api.patch(path, { customer: { ...customer, name: null }, metadata: null }, key)).status).toBe(200);
  });

  it('is the same, and holds nobody up, with metadata that the route ignores, however deep', async () => {
    const key = { ...newKey(), 'content-type': 'application/json' };
    const path = `/v1/conversations/${(await app.api.post('/v1/conversations')).body.id}/end`;
    const deep = (levels: number) => `{"metadata":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    const first = await app.api.raw('POST', path, deep(130_000), key);
    expect(first.status).toBe(200);
    expect(isReplay(await app.api.raw('POST', path, ` ${deep(130_000)}`, key))).toBe(true);
    expect(isReplay(await app.api.raw('POST', path, deep(129_999), key))).toBe(true);
  });

  it('replays however often it comes, also after other messages, the end of the conversation and a restart', async () => {
    const key = newKey();
    const first = await app.api.say('over', 'Hello', {}, key);
    const meanwhile = [
      () => app.api.say('over', 'And then?'),
      () => app.api.post(`/v1/conversations/${first.body.conversation_id}/end`),
      () => app.restart(),
      () => app.api.say('over', 'Hello again'),
    ];
    for (const happens of meanwhile) {
      await happens();
      const again = await app.api.say('over', 'Hello', {}, key);
      expect([isReplay(again), again.status, again.text]).toEqual([true, 200, first.text]);
      expect(again.headers.get('original-request')).toBe(first.headers.get('request-id'));
    }
  });

  it('replays the first time after the conversation has ended', async () => {
    const key = newKey();
    const first = await app.api.say('over at once', 'Hello', {}, key);
    await app.api.post(`/v1/conversations/${first.body.conversation_id}/end`);
    const again = await app.api.post(`/v1/messages`, { external_conversation_id: 'over at once', content: 'Hello' }, key);
    expect([isReplay(again), again.text]).toEqual([true, first.text]);
  });

  it('replays the version of an appointment with it, whatever stands after the path', async () => {
    const key = newKey();
    const booking = { service: 'haircut', starts_at: '2035-01-01T10:00:00Z' };
    const first = await app.api.post('/v1/appointments', booking, key);
    const again = await app.api.post('/v1/appointments?from=retry', booking, key);
    expect([isReplay(again), again.text]).toEqual([true, first.text]);
    expect([first, again].map(({ headers }) => headers.get('etag'))).toEqual(['"v1"', '"v1"']);
  });

  it('replays a refusal of the domain', async () => {
    const key = newKey();
    const { body } = await app.api.post('/v1/conversations', { external_id: 'taken' });
    const refused = await app.api.post('/v1/conversations', { external_id: 'taken' }, key);
    expect(errorOf(refused)).toEqual([409, 'invalid_request_error', 'external_id_taken', 'external_id']);
    await app.api.post(`/v1/conversations/${body.id}/end`);
    const again = await app.api.post('/v1/conversations', { external_id: 'taken' }, key);
    expect([isReplay(again), again.text]).toEqual([true, refused.text]);
    expect(again.headers.get('service-should-retry')).toBe('false');
  });

  it('survives a restart and a kill', async () => {
    const key = newKey();
    const first = await app.api.say('survivor', 'Hello', {}, key);
    await app.kill();
    await app.restart();
    expect((await app.api.say('survivor', 'Hello', {}, key)).text).toBe(first.text);
  });

  it('is executed once when both arrive together', async () => {
    const key = newKey();
    const answers = await Promise.all(Array.from({ length: 8 }, () => app.api.say('together', 'Hello', {}, key)));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter((answer) => !isReplay(answer))).toHaveLength(1);
  });

  it('replays for another key of the same project, and not for another project', async () => {
    const key = newKey();
    const first = await app.api.say('rotated', 'Hello', {}, key);
    const other = await app.otherProject();
    const elsewhere = await other.say('rotated', 'Hello', {}, key);
    expect(isReplay(elsewhere)).toBe(false);
    expect(elsewhere.body.conversation_id).not.toBe(first.body.conversation_id);
  });
});

describe('the same key for something else', () => {
  it('is refused: another body, another path', async () => {
    const key = newKey();
    const { body } = await app.api.say('reused', 'Hello', {}, key);
    const reused = [422, 'idempotency_error', 'idempotency_key_reused'];
    expect(errorOf(await app.api.say('reused', 'Goodbye', {}, key))).toEqual(reused);
    expect(errorOf(await app.api.post(`/v1/conversations/${body.conversation_id}/end`, {}, key))).toEqual(reused);
    expect(await messagesOf(body.conversation_id)).toHaveLength(2);
  });
});

describe('no claim is left behind', () => {
  it('by a body that is not valid', async () => {
    const key = newKey();
    expect((await app.api.say('corrected', '', {}, key)).status).toBe(400);
    expect((await app.api.say('corrected', 'Hello', {}, key)).status).toBe(200);
  });

  it('by a key that lacks the scope', async () => {
    const key = newKey();
    const reader = await app.otherProject('reader', ['conversations:read']);
    expect((await reader.say('forbidden', 'Hello', {}, key)).status).toBe(403);
  });
});

describe('a key', () => {
  const invalid = [400, 'idempotency_error', 'idempotency_key_invalid', 'Idempotency-Key'];

  it('has 1 to 255 printable characters', async () => {
    for (const key of ['', 'x'.repeat(256), 'é', 'tab\tinside']) {
      expect(errorOf(await app.api.post('/v1/conversations', {}, { 'idempotency-key': key }))).toEqual(invalid);
    }
    expect((await app.api.post('/v1/conversations', {}, { 'idempotency-key': 'x'.repeat(255) })).status).toBe(201);
    expect((await app.api.post('/v1/conversations', {}, { 'idempotency-key': 'with space ~!' })).status).toBe(201);
  });

  it.each([{ url: 'https://receiver.example/hooks', headers: { Host: 'a' } }, { url: 'ftp://receiver.example/hooks' }])(
    'is not looked up for an endpoint that cannot be: %j',
    async (endpoint) => {
      const key = newKey();
      expect((await app.api.post('/v1/conversations', {}, key)).status).toBe(201);
      expect((await app.api.post('/v1/webhook_endpoints', endpoint, key)).status).toBe(400);
    },
  );

  it('is judged before scope and body', async () => {
    const reader = await app.otherProject('early', ['conversations:read']);
    expect(errorOf(await reader.post('/v1/messages', {}, { 'idempotency-key': '' }))).toEqual(invalid);
  });

  it('means nothing on GET and DELETE', async () => {
    const tooLong = { 'idempotency-key': 'x'.repeat(300) };
    expect((await app.api.get('/v1/conversations', tooLong)).status).toBe(200);
    const { body } = await app.api.post('/v1/customers', { email: 'unwanted@example.com' });
    const deleted = await app.api.delete(`/v1/customers/${body.id}`, tooLong);
    expect(deleted.status).toBe(200);
  });

  it('works on PATCH', async () => {
    const key = newKey();
    const { body } = await app.api.post('/v1/customers', { email: 'patched@example.com' });
    const first = await app.api.patch(`/v1/customers/${body.id}`, { name: 'Ann' }, key);
    await app.api.patch(`/v1/customers/${body.id}`, { name: 'Bea' });
    expect((await app.api.patch(`/v1/customers/${body.id}`, { name: 'Ann' }, key)).text).toBe(first.text);
    expect((await app.api.get(`/v1/customers/${body.id}`)).body.name).toBe('Bea');
  });
});
