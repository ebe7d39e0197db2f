import { AdminWorld, errorOf, HOUR, MINUTE } from './admin-world.js';

let world: AdminWorld;

beforeAll(async () => {
  world = await AdminWorld.open();
});

afterAll(() => world.close());

describe('API keys', () => {
  let projectId: string;
  const path = (key: { id: string }) => `/projects/${projectId}/api_keys/${key.id}`;
  beforeEach(async () => {
    projectId = (await world.admin('POST', '/projects', { name: 'project' })).body.id;
  });

  it('are issued with their secret, told once', async () => {
    const issued = await world.newKey(projectId, { scopes: ['events:read', 'agent', 'agent'] });
    expect(issued).toEqual({
      id: expect.stringMatching(/^key_[0-9A-Z]{26}$/),
      object: 'api_key',
      project_id: projectId,
      name: 'key',
      prefix: issued.secret.slice(0, 7),
      scopes: ['events:read', 'agent'],
      status: 'active',
      created_at: expect.stringMatching(/Z$/),
      expires_at: null,
      last_used_at: null,
      secret: expect.stringMatching(/^sk_[0-9A-Za-z]{36}$/),
    });
    expect(await world.authenticate(issued.secret)).toMatchObject({ projectId, scopes: ['events:read', 'agent'] });
    const { body } = await world.admin('GET', `/projects/${projectId}/api_keys`);
    expect(body.data).toHaveLength(1);
    expect(JSON.stringify(body)).not.toContain(issued.secret);
    expect(body.data[0]).toMatchObject({ id: issued.id, last_used_at: expect.stringMatching(/Z$/) });
  });

  it('have every scope unless told otherwise', async () => {
    expect((await world.newKey(projectId)).scopes).toHaveLength(10);
    expect((await world.newKey(projectId, { scopes: null })).scopes).toHaveLength(10);
  });

  it('issued under an idempotency key are one key with one secret', async () => {
    const headers = { 'idempotency-key': 'key-once' };
    const first = await world.admin('POST', `/projects/${projectId}/api_keys`, { name: 'k' }, headers);
    const again = await world.admin('POST', `/projects/${projectId}/api_keys`, { name: 'k' }, headers);
    expect(again.body).toEqual(first.body);
    await world.authenticate(again.body.secret);
  });

  it('asked for with terms that make no sense are refused', async () => {
    for (const [body, code, param] of [
      [{}, 'parameter_missing', 'name'],
      [{ name: 'k', scopes: [] }, 'parameter_invalid', 'scopes'],
      [{ name: 'k', scopes: ['everything'] }, 'parameter_invalid', 'scopes'],
      [{ name: 'k', scopes: 'agent' }, 'parameter_invalid', 'scopes'],
      [{ name: 'k', expires_at: 'tomorrow' }, 'parameter_invalid', 'expires_at'],
      [{ name: 'k', expires_at: '2026-02-30T00:00:00Z' }, 'parameter_invalid', 'expires_at'],
    ] as const) {
      const refusal = await world.admin('POST', `/projects/${projectId}/api_keys`, body);
      expect([body, refusal.status, refusal.body.error.code, refusal.body.error.param]).toEqual([body, 400, code, param]);
    }
  });

  it('change their name, scopes and expiry', async () => {
    const issued = await world.newKey(projectId);
    const expires_at = new Date(world.clock.now() + HOUR).toISOString();
    const { status, body } = await world.admin('PATCH', path(issued), { name: 'phone', scopes: ['agent'], expires_at });
    expect(status).toBe(200);
    expect(body).toMatchObject({ name: 'phone', scopes: ['agent'], expires_at, status: 'active' });
    expect(body).not.toHaveProperty('secret');
    expect(body.last_used_at).toBeNull();
    world.clock.pass(HOUR);
    await expect(world.authenticate(issued.secret)).rejects.toMatchObject({ code: 'api_key_expired' });
    expect((await world.admin('PATCH', path(issued), { expires_at: null })).body).toMatchObject({
      expires_at: null,
      status: 'active',
    });
    await world.authenticate(issued.secret);
    const { body: used } = await world.admin('PATCH', path(issued), { name: 'used' });
    expect(used).toMatchObject({ name: 'used', last_used_at: expect.stringMatching(/Z$/) });
  });

  it('are revoked at once, and only once', async () => {
    const issued = await world.newKey(projectId);
    await world.authenticate(issued.secret);
    const revoked = await world.admin('DELETE', path(issued));
    expect([revoked.status, revoked.body.status]).toEqual([200, 'revoked']);
    await expect(world.authenticate(issued.secret)).rejects.toMatchObject({ code: 'api_key_revoked' });
    expect((await world.admin('DELETE', path(issued))).body).toEqual(revoked.body);
    expect((await world.admin('PATCH', path(issued), { name: 'x' })).status).toBe(404);
    expect((await world.admin('POST', `${path(issued)}/rotate`)).status).toBe(404);
  });

  it('rotate: the old one works until its grace is over', async () => {
    const issued = await world.newKey(projectId, { scopes: ['agent'] });
    const rotated = await world.admin('POST', `${path(issued)}/rotate`, { grace_period_seconds: 60 });
    expect(rotated.status).toBe(201);
    expect(rotated.body).toMatchObject({
      name: 'key',
      scopes: ['agent'],
      expires_at: null,
      secret: expect.stringMatching(/^sk_/),
    });
    expect(rotated.body.id).not.toBe(issued.id);
    await world.authenticate(issued.secret);
    await world.authenticate(rotated.body.secret);
    world.clock.pass(MINUTE);
    await expect(world.authenticate(issued.secret)).rejects.toMatchObject({ code: 'api_key_expired' });
    await world.authenticate(rotated.body.secret);
  });

  it('rotate with a day of grace unless told otherwise, and with none at once', async () => {
    const [one, two] = [await world.newKey(projectId), await world.newKey(projectId)];
    await world.admin('POST', `${path(one)}/rotate`);
    const before = world.clock.now();
    const { data } = (await world.admin('GET', `/projects/${projectId}/api_keys`)).body;
    const old = data.find(({ id }: { id: string }) => id === one.id);
    expect(Math.abs(Date.parse(old.expires_at) - before - 24 * HOUR)).toBeLessThan(MINUTE);
    await world.admin('POST', `${path(two)}/rotate`, { grace_period_seconds: 0 });
    await expect(world.authenticate(two.secret)).rejects.toMatchObject({ code: 'api_key_expired' });
    for (const grace_period_seconds of [-1, 7 * 86_400 + 1]) {
      expect((await world.admin('POST', `${path(one)}/rotate`, { grace_period_seconds })).status).toBe(400);
    }
  });

  it('keep their limit through every rotation, and once expired rotate no more', async () => {
    const expires_at = new Date(world.clock.now() + HOUR).toISOString();
    const issued = await world.newKey(projectId, { expires_at });
    for (let time = 0; time < 2; time++) {
      const rotated = await world.admin('POST', `${path(issued)}/rotate`, { grace_period_seconds: 60 });
      expect([rotated.status, rotated.body.expires_at]).toEqual([201, expires_at]);
    }
    world.clock.pass(MINUTE);
    const refusal = await world.admin('POST', `${path(issued)}/rotate`);
    expect(errorOf(refusal)).toEqual([400, 'invalid_request_error', 'parameter_invalid']);
  });

  it('of another project are missing', async () => {
    const other = (await world.admin('POST', '/projects', { name: 'other' })).body;
    const foreign = await world.newKey(other.id);
    for (const [method, end] of [
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/rotate'],
    ] as const) {
      const refusal = await world.admin(method, path(foreign) + end, method === 'DELETE' ? undefined : {});
      expect(errorOf(refusal)).toEqual([404, 'invalid_request_error', 'resource_missing']);
      expect(refusal.body.error.param).toBe('key_id');
    }
  });

  it('are at most fifty', async () => {
    for (let count = 0; count < 50; count++) await world.newKey(projectId);
    const refusal = await world.admin('POST', `/projects/${projectId}/api_keys`, { name: 'one too many' });
    expect(errorOf(refusal)).toEqual([400, 'invalid_request_error', 'limit_exceeded']);
    const first = (await world.admin('GET', `/projects/${projectId}/api_keys?limit=30`)).body;
    const rest = (await world.admin('GET', `/projects/${projectId}/api_keys?limit=30&starting_after=${first.next_cursor}`)).body;
    expect([first.data.length, first.has_more, rest.data.length, rest.has_more]).toEqual([30, true, 20, false]);
    const byId = await world.admin('GET', `/projects/${projectId}/api_keys?limit=30&starting_after=${first.data.at(-1).id}`);
    expect(byId.body.data).toEqual(rest.data);
  });

  it('rotate in a full project too: the old one works beside the fifty through its grace, and makes no room', async () => {
    const issued = await world.newKey(projectId);
    for (let count = 1; count < 50; count++) await world.newKey(projectId);
    const rotated = await world.admin('POST', `${path(issued)}/rotate`, { grace_period_seconds: 60 });
    expect(rotated.status).toBe(201);
    await world.authenticate(issued.secret);
    await world.authenticate(rotated.body.secret);
    const another = () => world.admin('POST', `/projects/${projectId}/api_keys`, { name: 'one too many' });
    expect(errorOf(await another())).toEqual([400, 'invalid_request_error', 'limit_exceeded']);
    world.clock.pass(MINUTE);
    expect(errorOf(await another())).toEqual([400, 'invalid_request_error', 'limit_exceeded']);
  });
});
