import { App } from './harness/app.js';
import { errorOf } from './harness/expectations.js';

let app: App;
beforeAll(async () => void (app = await App.start()));
afterAll(() => app.dispose());

const open = (metadata: string, customer = '') =>
  app.api.raw('POST', '/v1/conversations', `{"metadata": ${metadata}${customer}}`, { 'content-type': 'application/json' });
const nested = (levels: number) => '{"a":'.repeat(levels - 1) + '{}' + '}'.repeat(levels - 1);
const ofBytes = (count: number) => `{"a":"${'x'.repeat(count - 8)}"}`;

describe('metadata', () => {
  it.each([
    '{}',
    '{"2":"b","1":"a"}',
    '{"n":12345678901234567890,"f":1.0,"e":1E3,"z":-0}',
    '{"__proto__":{"x":1},"constructor":1,"a.b":"$c","$where":2}',
    '{ "spaced" : [ 1 , 2 ] }',
    '{"escapes":"\\u00e9\\/\\n","astral":"\\ud83d\\ude00","quote":"\\\\\\""}',
    '{"same":1,"same":2}',
    `{"html":"</script><b>","json":"{\\"a\\":1}"}`,
  ])('%s comes back as it was sent', async (metadata) => {
    const created = await open(metadata);
    expect(created.status).toBe(201);
    expect(created.text).toContain(`"metadata":${metadata},`);
    expect((await app.api.get(`/v1/conversations/${created.body.id}`)).text).toContain(`"metadata":${metadata},`);
    expect((await app.api.get('/v1/conversations?limit=1')).text).toContain(`"metadata":${metadata},`);
  });

  it('of a customer is kept as well', async () => {
    const metadata = '{"9":1,"10":12345678901234567890}';
    const body = `{"phone":"+4915100000001","metadata":${metadata}}`;
    const created = await app.api.raw('POST', '/v1/customers', body, { 'content-type': 'application/json' });
    expect(created.text).toContain(`"metadata":${metadata},`);
    const linked = await open('{"outer":1}', `,"customer":{"email":"m@example.com","metadata":${metadata}}`);
    const customer = await app.api.get(`/v1/customers/${linked.body.customer_id}`);
    expect(linked.text).toContain('"metadata":{"outer":1},');
    expect(customer.text).toContain(`"metadata":${metadata},`);
  });

  it('is an empty object when none was sent, or null', async () => {
    expect((await app.api.post('/v1/conversations', {})).body.metadata).toEqual({});
    expect((await open('null')).body.metadata).toEqual({});
    expect((await open('{"first":1}', ',"metadata":null')).body.metadata).toEqual({});
  });

  it.each(['[]', '"text"', '1', 'true'])('may not be %s', async (metadata) => {
    expect(errorOf(await open(metadata))).toEqual([400, 'invalid_request_error', 'metadata_invalid', 'metadata']);
  });

  it('may have 8 levels, of which it is the first', async () => {
    expect((await open(nested(8))).status).toBe(201);
    for (const levels of [9, 40, 2_000]) {
      expect(errorOf(await open(nested(levels)))).toEqual([400, 'invalid_request_error', 'metadata_invalid', 'metadata']);
      const ofCustomer = await open('{}', `,"customer":{"email":"deep@example.com","metadata":${nested(levels)}}`);
      expect(errorOf(ofCustomer)).toEqual([400, 'invalid_request_error', 'metadata_invalid', 'metadata']);
    }
  });

  it('may have 16 KiB as sent, counted in UTF-8', async () => {
    expect((await open(ofBytes(16_384))).status).toBe(201);
    const tooLarge = [400, 'invalid_request_error', 'metadata_too_large', 'metadata'];
    expect(errorOf(await open(ofBytes(16_385)))).toEqual(tooLarge);
    expect(errorOf(await open(`{"a":"${'é'.repeat(8_190)}"}`))).toEqual(tooLarge);
    expect(errorOf(await open(`{${' '.repeat(16_384)}}`))).toEqual(tooLarge);
  });

  it.each(['{"a":"\\ud800"}', '{"\\udfff":1}', '{"a":["\\ud83d"]}'])('may not hold a lone surrogate: %s', async (metadata) => {
    expect(errorOf(await open(metadata))).toEqual([400, 'invalid_request_error', 'metadata_invalid', 'metadata']);
  });

  it('means nothing where a body has none', async () => {
    const { body } = await app.api.post('/v1/conversations', {});
    const posted = await app.api.post(`/v1/conversations/${body.id}/messages`, { content: 'Hi', metadata: 'whatever' });
    expect(posted.status).toBe(200);
  });
});
