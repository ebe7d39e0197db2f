import { App } from './harness/app.js';
import type { Answer } from './harness/client.js';
import { errorOf } from './harness/expectations.js';

const JSON_TYPE = { 'content-type': 'application/json' };

let app: App;
beforeAll(async () => void (app = await App.start()));
afterAll(() => app.dispose());

const invalid = (code: string, ...param: string[]) => [400, 'invalid_request_error', code, ...param];
const post = (body: string | Uint8Array, headers: Record<string, string> = JSON_TYPE) =>
  app.api.raw('POST', '/v1/messages', body, headers);

describe('every error', () => {
  it('has one form, its request id in body and header, and a page that explains it', async () => {
    const answer = await app.api.get('/v1/conversations/conv_unknown');
    expect(Object.keys(answer.body)).toEqual(['error']);
    const { request_id: requestId, doc_url: docUrl, message } = answer.body.error;
    expect(requestId).toMatch(/^req_[0-9A-HJKMNP-TV-Z]{26}$/);
    expect(answer.headers.get('request-id')).toBe(requestId);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(message).toEqual(expect.any(String));
    const page = await app.as(null).get(docUrl);
    expect(page.text).toContain(`id="${answer.body.error.code}"`);
  });

  it('says whether the same request may succeed later', async () => {
    const { headers } = await app.api.get('/v1/conversations/conv_unknown');
    expect(headers.get('service-should-retry')).toBe('false');
  });
});

describe('a path', () => {
  it('nobody serves is 404', async () => {
    expect(errorOf(await app.api.get('/v1/nothing'))).toEqual([404, 'invalid_request_error', 'route_not_found']);
  });

  it('served with other methods is 405 and names them', async () => {
    const answer = await app.api.send('PUT', '/v1/conversations', {});
    expect(errorOf(answer)).toEqual([405, 'invalid_request_error', 'method_not_allowed']);
    expect(answer.headers.get('allow')).toBe('GET, HEAD, POST');
    const byId = await app.api.send('POST', '/v1/conversations/conv_x', {});
    expect(byId.headers.get('allow')).toBe('GET, HEAD, PATCH');
  });

  it.each(['conv_nope', 'cust_01J9Z3K8Q4T6V8X0A2C4E6G8J0', 'x'.repeat(300), '%00', '..%2f..', '%zz', 'a%ff', '%'.repeat(9_000)])(
    'with the impossible id %s is 404',
    async (id) => {
      expect(errorOf(await app.api.get(`/v1/conversations/${id}`))).toEqual([
        404,
        'invalid_request_error',
        'resource_missing',
        'id',
      ]);
      expect((await app.api.send('PUT', `/v1/conversations/${id}`, {})).status).toBe(405);
      expect((await app.as(null).get(`/v1/conversations/${id}`)).status).toBe(401);
    },
  );

  it.each(['conversations/', 'conversations//messages', 'conversations/conv_x/', 'events/evt_x/deliveries//retry', 'events//'])(
    'with nothing where an id belongs, or a slash at its end, is 404: %s',
    async (path) => {
      for (const method of ['GET', 'POST', 'DELETE'])
        expect(errorOf(await app.api.send(method, `/v1/${path}`, undefined))).toEqual([
          404,
          'invalid_request_error',
          'route_not_found',
        ]);
    },
  );

  it('of thousands of parts that cannot be decoded is 404', async () => {
    expect(errorOf(await app.as(null).get('/%'.repeat(7_000)))).toEqual([404, 'invalid_request_error', 'route_not_found']);
    expect(errorOf(await app.api.get(`/v1${'/%'.repeat(7_000)}`))).toEqual([404, 'invalid_request_error', 'route_not_found']);
  });

  it('spelled in another way is the same path', async () => {
    expect((await app.api.get('/%761/c%6Fnversations')).status).toBe(200);
    for (const path of ['/%761/nothing', '/v%31/%zz']) {
      expect(errorOf(await app.as(null).get(path))).toEqual([401, 'authentication_error', 'api_key_missing']);
    }
    const key = { 'idempotency-key': 'spelled' };
    const first = await app.api.post('/v1/conversations', {}, key);
    expect((await app.api.post('/v1/c%6fnversations', {}, key)).text).toBe(first.text);
  });
});

describe('a body', () => {
  it.each(['{', '{"a":}', 'nonsense', '[]', '"text"', 'null', '1', '{"a":1}x'])('of %s is no JSON object', async (body) => {
    expect(errorOf(await post(body))).toEqual(invalid('json_invalid'));
  });

  it('that is not UTF-8 is refused', async () => {
    const body = Buffer.concat([Buffer.from('{"external_conversation_id":"t","content":"'), Buffer.of(0xff), Buffer.from('"}')]);
    expect(errorOf(await post(body))).toEqual(invalid('json_invalid'));
  });

  it('may have 32 levels and is refused with more, however many', async () => {
    const nested = (levels: number) =>
      post(`{"external_conversation_id":"deep","content":"x","deep":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`);
    expect((await nested(32)).status).toBe(200);
    for (const levels of [33, 5_000, 120_000]) expect(errorOf(await nested(levels))).toEqual(invalid('json_invalid'));
  });

  it('may have 256 KiB and is refused with more, with a length or without', async () => {
    const ofBytes = (count: number) => `{"external_conversation_id":"large","content":"x"}`.padEnd(count);
    expect((await post(ofBytes(262_144))).status).toBe(200);
    const body = ofBytes(262_145);
    expect(errorOf(await post(body))).toEqual([413, 'invalid_request_error', 'request_too_large']);
    const chunked = await fetch(`${app.url}/v1/messages`, {
      method: 'POST',
      headers: { ...JSON_TYPE, authorization: `Bearer ${app.api.token}` },
      body: new Blob([body]).stream(),
      duplex: 'half',
    } as RequestInit);
    expect(chunked.status).toBe(413);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=latin1',
    'application/json; odata=verbose; charset=utf-16',
    'application/json, text/plain',
    'application/jsonx',
    'nonsense',
  ])('declared as %s is not supported', async (type) => {
    const answer = await post('{"content":"x"}', { 'content-type': type });
    expect(errorOf(answer)).toEqual([415, 'invalid_request_error', 'content_type_unsupported']);
  });

  it('that is empty means {}, whatever it is declared as', async () => {
    const { body } = await app.api.post('/v1/conversations', {});
    const headers = { authorization: `Bearer ${app.api.token}`, 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await fetch(`${app.url}/v1/conversations/${body.id}/end`, { method: 'POST', headers, body: '' });
    expect([answer.status, await answer.json()]).toMatchObject([200, { id: body.id, status: 'ended' }]);
  });

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON;charset="UTF-8"',
    'application/json;',
    'application/json; charset=utf8',
    'application/json;odata=verbose',
    'application/json; charset=utf-8; profile="a;b"',
  ])('declared as %s is read', async (type) => {
    const body = JSON.stringify({ external_conversation_id: 'types', content: 'Hello' });
    expect((await post(body, { 'content-type': type })).status).toBe(200);
  });

  it('that is absent counts as an empty object', async () => {
    const { status, body } = await app.api.post('/v1/conversations');
    expect(status).toBe(201);
    expect((await app.api.post(`/v1/conversations/${body.id}/end`)).body.status).toBe('ended');
    const empty = await app.api.raw('POST', `/v1/conversations/${body.id}/end`, '', JSON_TYPE);
    expect(empty.status).toBe(200);
  });

  it('may have members nobody knows, even dangerous ones', async () => {
    const { status } = await post(
      '{"external_conversation_id":"odd","content":"Hi","__proto__":{"polluted":1},"constructor":{"prototype":1}}',
    );
    expect(status).toBe(200);
  });
});

describe('parameters', () => {
  const refusal = async (body: object): Promise<Answer> => app.api.post('/v1/messages', body);
  const sound = { external_conversation_id: 'p', content: 'Hi' };

  it.each([
    [{}, 'parameter_missing', 'external_conversation_id'],
    [{ ...sound, content: undefined }, 'parameter_missing', 'content'],
    [{ ...sound, content: null }, 'parameter_missing', 'content'],
    [{ ...sound, content: '' }, 'parameter_missing', 'content'],
    [{ ...sound, content: 7 }, 'parameter_invalid', 'content'],
    [{ ...sound, content: ['x'] }, 'parameter_invalid', 'content'],
    [{ ...sound, markdown: 'yes' }, 'parameter_invalid', 'markdown'],
    [{ ...sound, markdown: 0 }, 'parameter_invalid', 'markdown'],
    [{ ...sound, customer: 'me' }, 'parameter_invalid', 'customer'],
    [{ ...sound, customer: {} }, 'parameter_missing', 'phone'],
    [{ ...sound, customer: { phone: '0151123456' } }, 'phone_invalid_format', 'phone'],
    [{ ...sound, customer: { phone: '+0151123456' } }, 'phone_invalid_format', 'phone'],
    [{ ...sound, customer: { phone: 4915112345678 } }, 'phone_invalid_format', 'phone'],
    [{ ...sound, customer: { email: 'nobody' } }, 'email_invalid_format', 'email'],
    [{ ...sound, customer: { email: 'a@b.co', name: '' } }, 'parameter_invalid', 'name'],
    [{ ...sound, content: '\ud800' }, 'parameter_invalid', 'content'],
    [{ ...sound, customer: { phone: '+4915112345678', name: 'a\udc00' } }, 'parameter_invalid', 'name'],
  ])('like %j are refused', async (body, code, param) => {
    expect(errorOf(await refusal(body))).toEqual(invalid(code, param));
  });

  it.each([
    ['is no Unicode', '\ud800', 1],
    ['is no Unicode, of an object,', '\udc00', {}],
    ['has no end', 'x'.repeat(100_000), '\ud800'],
    ['has more than 255 characters', '😀'.repeat(256), '\ud800'],
  ])('whose name %s are not repeated', async (_, name, value) => {
    const answer = await refusal({ ...sound, [name]: value });
    expect(errorOf(answer)).toEqual(invalid('parameter_invalid'));
    expect(answer.body.error.message).toBe("A member's name or value holds a lone surrogate.");
    const several = (await refusal({ external_conversation_id: 'p', [name]: value })).body.error;
    expect(several.errors.map((one: { param?: string }) => one.param)).toEqual([undefined, 'content']);
  });

  it('whose name has 255 characters are repeated', async () => {
    const name = '😀'.repeat(255);
    expect(errorOf(await refusal({ ...sound, [name]: '\ud800' }))).toEqual(invalid('parameter_invalid', name));
  });

  it('that fail together are all listed, the first being the error', async () => {
    expect((await refusal({ ...sound, content: '' })).body.error).not.toHaveProperty('errors');
    const { error } = (await refusal({ content: '', markdown: 1, customer: { phone: 'x' } })).body;
    expect(error.param).toBe('external_conversation_id');
    expect(error.errors.map((one: { param: string; code: string }) => [one.param, one.code])).toEqual(
      expect.arrayContaining([
        ['external_conversation_id', 'parameter_missing'],
        ['content', 'parameter_missing'],
        ['markdown', 'parameter_invalid'],
        ['phone', 'phone_invalid_format'],
      ]),
    );
  });

  it('are judged before the thing they are about is looked for', async () => {
    expect(errorOf(await app.api.post('/v1/conversations/conv_unknown/messages', {}))).toEqual(
      invalid('parameter_missing', 'content'),
    );
  });

  it.each(['conversations/conv_x/messages', 'sessions/sess_x/turns', 'events/evt_x/deliveries'])(
    'of the list %s, cursors among them, too',
    async (list) => {
      for (const param of ['starting_after', 'ending_before'])
        expect(errorOf(await app.api.get(`/v1/${list}?${param}=zzz`))).toEqual(invalid('cursor_invalid', param));
    },
  );
});
