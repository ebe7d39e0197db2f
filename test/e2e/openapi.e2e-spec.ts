import { App } from './harness/app.js';
import { book, nextSlot } from './harness/ledger.js';

let app: App;
// oxlint-disable-next-line typescript/no-explicit-any
let document: any;
beforeAll(async () => {
  app = await App.start({ RATE_LIMIT_READ: '1000' });
  document = (await app.as(null).get('/openapi.json')).body;
});
afterAll(() => app.dispose());

type Operation = { readonly operationId: string; readonly responses: Record<string, unknown>; readonly security: unknown };
const operations = (): [string, string, Operation][] =>
  Object.entries(document.paths as Record<string, Record<string, Operation>>).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): [string, string, Operation] => [method, path, operation]),
  );

function shownTo(method: string, path: string): object {
  return document.paths[path][method].requestBody.content['application/json'].examples.usual.value;
}

async function appointmentOfVersionTwo(): Promise<string> {
  const { body } = await book(app.api);
  const path = `/v1/appointments/${body.id}`;
  await app.api.post(`${path}/reschedule`, { starts_at: nextSlot() });
  return path;
}

describe('the OpenAPI document', () => {
  it('is 3.1 and about /v1 only', () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(Object.keys(document.paths).every((path) => path.startsWith('/v1/'))).toBe(true);
  });

  it.each([
    'post /v1/conversations',
    'get /v1/conversations',
    'get /v1/conversations/{id}',
    'post /v1/conversations/{id}/end',
    'post /v1/conversations/{id}/messages',
    'get /v1/conversations/{id}/messages',
    'post /v1/messages',
    'get /v1/customers',
    'post /v1/customers',
    'get /v1/customers/{id}',
    'patch /v1/customers/{id}',
    'delete /v1/customers/{id}',
  ])('describes %s', (name) => {
    expect(operations().map(([method, path]) => `${method} ${path}`)).toContain(name);
  });

  it.each([
    ['ConversationResource', 'status', 'active ended handed_off'],
    ['ConversationResource', 'end_reason', 'explicit agent idle'],
    ['MessageResource', 'role', 'user assistant'],
    ['ActionResource', 'operation', 'created confirmed rescheduled cancelled failed'],
    ['SessionResource', 'status', 'open closed'],
    ['SessionTurnDto', 'role', 'user assistant'],
    ['CloseSessionDto', 'outcome', 'appointment_booked appointment_changed appointment_cancelled no_action handed_off failed'],
    ['OpenSessionDto', 'direction', 'inbound outbound'],
    ['AppointmentResource', 'status', 'pending confirmed rescheduled cancelled failed'],
    ['AppointmentResource', 'source', 'voice_agent conversation api'],
    ['BookAppointmentDto', 'status', 'pending confirmed failed'],
    ['RescheduleAppointmentDto', 'mode', 'in_place cancel_and_recreate'],
    ['CancelAppointmentDto', 'cancelled_by', 'customer business agent system'],
    ['ActorResource', 'type', 'agent client admin system'],
    ['UpdateEndpointDto', 'status', 'enabled disabled'],
    ['DeliveryResource', 'status', 'pending delivering retrying succeeded failed cancelled'],
    ['DeliveryResource', 'failure_reason', 'attempts_exhausted permanent_rejection'],
    ['DeliveryResource', 'cancel_reason', 'endpoint_disabled endpoint_deleted superseded cancelled_by_user event_expired'],
    ['DeliveryResource', 'trigger', 'event replay bulk_replay test'],
    [
      'AttemptResource',
      'error_code',
      'timeout dns_error connection_refused connection_reset tls_error ssrf_blocked redirect network_error',
    ],
  ])('knows every word of the contract: %s %s', (schema, member, words) => {
    const known = document.components.schemas[schema].properties[member].enum as (string | null)[];
    expect(known.filter((word) => word !== null)).toEqual(words.split(' '));
  });

  it('gives every operation a name of its own, its key and its refusals', () => {
    const names = operations().map(([, , { operationId }]) => operationId);
    expect(new Set(names).size).toBe(names.length);
    for (const [, , { responses, security }] of operations()) {
      expect(security).toEqual([{ api_key: [] }]);
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(['401', '403', '429', '500', '503']));
    }
  });

  it('describes every part of a path that a client fills in', () => {
    for (const [method, path, operation] of operations()) {
      const { parameters } = operation as unknown as { parameters: readonly { in: string; name: string }[] };
      const described = parameters.filter((one) => one.in === 'path').map(({ name }) => `{${name}}`);
      expect([method, path, described]).toEqual([method, path, path.match(/\{\w+\}/g) ?? []]);
    }
  });

  it('tells which kind of id belongs to every part of a path', () => {
    const kinds = ['conv', 'cust', 'sess', 'apt', 'we', 'evt', 'whd'];
    const words = ['conversations', 'customers', 'sessions', 'appointments', 'webhook_endpoints', 'events', 'deliveries'];
    for (const [, path, operation] of operations()) {
      const { parameters } = operation as unknown as { parameters: readonly { name: string; schema: { pattern?: string } }[] };
      for (const [, word = '', name] of path.matchAll(/(\w+)\/\{(\w+)\}/g)) {
        const pattern = new RegExp(parameters.find((one) => one.name === name)?.schema.pattern ?? '$^');
        const fitting = kinds.filter((kind) => pattern.test(`${kind}_01J9Z3K8Q4T6V8X0A2C4E6G8J0`));
        expect([path, fitting]).toEqual([path, [kinds[words.indexOf(word)]]]);
      }
    }
  });

  it('has every schema that it refers to', () => {
    const references = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]*)"/g)].map(([, name]) => name);
    expect(references.length).toBeGreaterThan(20);
    for (const name of references) expect(Object.keys(document.components.schemas)).toContain(name);
  });

  it('lets limit be any whole number, since it is clamped', () => {
    const { parameters } = document.paths['/v1/conversations'].get;
    const limit = parameters.find(({ name }: { name: string }) => name === 'limit');
    expect(limit.schema).toEqual({ type: 'integer', default: 20 });
  });
});

describe('what the OpenAPI document promises of requests', () => {
  const schemaOf = (name: string) => document.components.schemas[name];
  const parameterOf = (path: string, method: string, name: string) =>
    document.paths[path][method].parameters.find((parameter: { name: string }) => parameter.name === name).schema;

  it.each([
    ['/v1/conversations/{id}', 'get', 'id', ['conv_01J9Z3K8Q4T6V8X0A2C4E6G8J0'], ['conv_1', 'cust_01J9Z3K8Q4T6V8X0A2C4E6G8J0']],
    [
      '/v1/events/{id}/deliveries/{delivery_id}/retry',
      'post',
      'delivery_id',
      ['whd_01J9Z3K8Q4T6V8X0A2C4E6G8J0'],
      ['evt_01J9Z3K8Q4T6V8X0A2C4E6G8J0'],
    ],
    ['/v1/customers', 'get', 'starting_after', ['cur_AbC-_1', 'cust_01J9Z3K8Q4T6V8X0A2C4E6G8J0'], ['cur_', 'conv_1', 'x']],
    ['/v1/events', 'get', 'type', ['*', 'appointment.*', 'appointment.created'], ['Appointment', 'appointment.', 'a.*.b']],
    ['/v1/appointments/{id}/confirm', 'post', 'If-Match', ['"v7"', 'W/"v7"', '*'], ['v7', '"7"', '7']],
    ['/v1/messages', 'post', 'Idempotency-Key', ['a', 'a b'], ['', ' a', 'ü']],
  ])('of %s %s it tells apart what %s may be', (path, method, name, good, bad) => {
    const pattern = new RegExp(parameterOf(path, method, name).pattern, 'u');
    for (const value of good) expect(value).toMatch(pattern);
    for (const value of bad) expect(value).not.toMatch(pattern);
  });

  it('tells which headers an endpoint may ask for', () => {
    const { propertyNames, additionalProperties, maxProperties } = schemaOf('RegisterEndpointDto').properties.headers;
    const names = new RegExp(propertyNames.pattern, 'u');
    for (const name of ['X-Env', 'Authorization', 'hosted']) expect(name).toMatch(names);
    for (const name of ['Host', 'WEBHOOK-id', 'content-type', 'Service-Signature', 'a b', '']) expect(name).not.toMatch(names);
    expect('ünprintable').not.toMatch(new RegExp(additionalProperties.pattern, 'u'));
    expect(maxProperties).toBe(20);
  });

  it('tells which members exclude or require each other', () => {
    const given = { type: expect.not.arrayContaining(['null']) };
    const has = (...names: readonly string[]) => ({
      required: names,
      properties: Object.fromEntries(names.map((name) => [name, given])),
    });
    const failedWithoutCause = { required: ['status'], properties: { status: { enum: ['failed'] } }, not: has('failure') };
    const ofBookings = [has('customer_id', 'customer'), has('duration_minutes', 'ends_at'), failedWithoutCause];
    expect(schemaOf('BookAppointmentDto')).toMatchObject({ if: { anyOf: ofBookings }, then: { not: {} } });
    const unreachable = { not: { anyOf: [has('phone'), has('email')] } };
    expect(schemaOf('CustomerDto')).toMatchObject({ if: unreachable, then: { not: {} } });
  });

  it.each(['/v1/appointments', '/v1/sessions'])('shows a body for %s that is taken as it stands', async (path) => {
    expect((await app.api.post(path, shownTo('post', path))).status).toBe(201);
  });

  it.each([
    ['patch', '', 'rescheduled'],
    ['post', '/confirm', 'confirmed'],
    ['post', '/reschedule', 'rescheduled'],
    ['post', '/cancel', 'cancelled'],
    ['post', '/fail', 'failed'],
    ['post', '/rebook', 'pending'],
  ] as const)(
    'shows a body to %s an appointment%s with, whatever its version and as long as it was',
    async (method, does, status) => {
      const path = await appointmentOfVersionTwo();
      if (does === '/rebook') await app.api.post(`${path}/cancel`);
      const { status: code, body } = await app.api[method](`${path}${does}`, shownTo(method, `/v1/appointments/{id}${does}`));
      expect([code, body.status, Date.parse(body.ends_at) - Date.parse(body.starts_at)]).toEqual([200, status, 1_800_000]);
    },
  );

  it('shows a change of a customer that is taken as it stands', async () => {
    const { body } = await app.api.post('/v1/customers', { phone: '+15005550006' });
    const changed = await app.api.patch(`/v1/customers/${body.id}`, shownTo('patch', '/v1/customers/{id}'));
    expect([changed.status, changed.body.phone]).toEqual([200, '+15005550006']);
  });

  it('says of a body whether it may be left out', () => {
    const isRequired = (path: string) => document.paths[path].post.requestBody.required;
    expect(isRequired('/v1/customers')).toBe(true);
    expect(isRequired('/v1/appointments')).toBe(true);
    expect(isRequired('/v1/conversations/{id}/end')).toBe(false);
  });
});

describe('what the OpenAPI document promises of answers', () => {
  const answer = (method: string, path: string, status: number) => document.paths[path][method].responses[status];
  const headersOf = (method: string, path: string, status: number) => Object.keys(answer(method, path, status).headers);
  const codesOf = (method: string, path: string, status: number) =>
    [...answer(method, path, status).description.matchAll(/^- `(\w+)`/gm)].map(([, code]) => code);

  it('has the codes of each refusal', () => {
    expect(codesOf('get', '/v1/customers/{id}', 404)).toEqual(['resource_missing']);
    expect(codesOf('post', '/v1/conversations', 409)).toEqual(['idempotency_key_in_use', 'external_id_taken']);
    expect(codesOf('post', '/v1/conversations', 400)).toContain('parameter_missing');
    expect(codesOf('patch', '/v1/appointments/{id}', 409)).toEqual(['idempotency_key_in_use']);
    expect(codesOf('post', '/v1/appointments/{id}/confirm', 409)).toContain('appointment_invalid_transition');
    expect(codesOf('post', '/v1/appointments/{id}/confirm', 400)).not.toContain('parameter_missing');
    expect(codesOf('post', '/v1/appointments/{id}/reschedule', 400)).toContain('parameter_missing');
    expect(codesOf('post', '/v1/sessions/{id}/close', 400)).not.toContain('time_range_invalid');
  });

  it('names the headers that the contract promises', () => {
    expect(headersOf('get', '/v1/appointments/{id}', 200)).toContain('ETag');
    expect(headersOf('post', '/v1/appointments', 201)).toEqual(expect.arrayContaining(['ETag', 'Idempotent-Replayed']));
    expect(headersOf('get', '/v1/customers', 401)).toContain('WWW-Authenticate');
    expect(headersOf('get', '/v1/customers', 429)).toEqual(expect.arrayContaining(['Retry-After', 'RateLimit-Remaining']));
    expect(headersOf('post', '/v1/conversations', 400)).not.toContain('Idempotent-Replayed');
    expect(headersOf('get', '/v1/customers', 403)).not.toContain('RateLimit');
    const named = operations().flatMap(([method, path, { responses }]) =>
      Object.keys(responses).flatMap((status) => headersOf(method, path, Number(status))),
    );
    expect(Object.keys(document.components.headers)).toEqual(expect.arrayContaining([...new Set(named)]));
  });

  it('names every header of a refusal that took a token', async () => {
    const { status, headers } = await app.api.get('/v1/customers/nobody');
    const documented = headersOf('get', '/v1/customers/{id}', status).map((name) => name.toLowerCase());
    const ownHeaders = [...headers.keys()].filter((name) => /^(ratelimit|service|request)/.test(name));
    expect(ownHeaders).toContain('ratelimit-remaining');
    expect(documented).toEqual(expect.arrayContaining(ownHeaders));
  });

  it('knows that any address can be too long', () => {
    for (const [method, path] of operations()) expect(codesOf(method, path, 413)).toEqual(['request_too_large']);
  });

  it('knows that a deletion may carry a body that cannot be read', async () => {
    expect(codesOf('delete', '/v1/customers/{id}', 415)).toEqual(['content_type_unsupported']);
    const path = '/v1/customers/cust_01J9Z3K8Q4T6V8X0A2C4E6G8J0';
    expect((await app.api.raw('DELETE', path, 'x', { 'content-type': 'text/plain' })).status).toBe(415);
  });

  it('knows that a test event can be made too large', async () => {
    const { body } = await app.api.post('/v1/webhook_endpoints', { url: 'https://hooks.example' });
    const refused = await app.api.post(`/v1/webhook_endpoints/${body.id}/test`, { overrides: { notes: 'x'.repeat(65_536) } });
    expect(refused.status).toBe(400);
    expect(codesOf('post', '/v1/webhook_endpoints/{id}/test', 400)).toContain(refused.body.error.code);
  });
});

it('an address without the version is not found', async () => {
  expect((await app.api.get('/conversations')).status).toBe(404);
});
