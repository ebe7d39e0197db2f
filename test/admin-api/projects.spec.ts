import { AdminWorld, errorOf } from './admin-world.js';

let world: AdminWorld;

beforeAll(async () => {
  world = await AdminWorld.open();
});

afterAll(() => world.close());

describe('projects', () => {
  it('are created, shown, listed and changed', async () => {
    const created = await world.admin('POST', '/projects', { name: 'dental' });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      id: expect.stringMatching(/^prj_[0-9A-Z]{26}$/),
      object: 'project',
      name: 'dental',
      reply_window_ms: 30_000,
      agent: { instructions: null },
      handoff_reply: null,
      time_zone: 'UTC',
      rate_limits: { read: 100, write: 100, messages: 25 },
      created_at: expect.stringMatching(/Z$/),
      updated_at: created.body.created_at,
    });
    const path = `/projects/${created.body.id}`;
    expect((await world.admin('GET', path)).body).toEqual(created.body);
    const changes = {
      reply_window_ms: 5_000,
      time_zone: 'Europe/Berlin',
      agent: { instructions: 'Be kind.' },
      handoff_reply: 'You hear from us today.',
      rate_limits: { write: 7, messages: 0 },
    };
    const changed = await world.admin('PATCH', path, changes);
    expect(changed.body).toMatchObject({ ...changes, name: 'dental', rate_limits: { read: 100, write: 7, messages: 0 } });
    const list = await world.admin('GET', '/projects');
    expect(list.body).toMatchObject({ object: 'list', has_more: false, next_cursor: null });
    expect(list.body.data.map(({ name }: { name: string }) => name)).toEqual(['dental', 'default']);
    expect(list.body.data[0]).toEqual(changed.body);
  });

  it('follow the operator again where null is sent', async () => {
    const path = `/projects/${world.projectId}`;
    await world.admin('PATCH', path, {
      reply_window_ms: 5_000,
      rate_limits: { read: 1 },
      agent: { instructions: 'x' },
      handoff_reply: 'x',
      time_zone: 'asia/tokyo',
    });
    expect((await world.admin('GET', path)).body.time_zone).toBe('Asia/Tokyo');
    const { body } = await world.admin('PATCH', path, {
      reply_window_ms: null,
      rate_limits: { read: null },
      agent: { instructions: null },
      handoff_reply: null,
      time_zone: null,
    });
    expect(body).toMatchObject({
      time_zone: 'UTC',
      reply_window_ms: 30_000,
      rate_limits: { read: 100 },
      agent: { instructions: null },
      handoff_reply: null,
    });
  });

  it('refuse what is out of bounds', async () => {
    for (const [changes, code, param] of [
      [{ reply_window_ms: 999 }, 'parameter_invalid', 'reply_window_ms'],
      [{ reply_window_ms: 110_001 }, 'parameter_invalid', 'reply_window_ms'],
      [{ reply_window_ms: '5000' }, 'parameter_invalid', 'reply_window_ms'],
      [{ agent: { instructions: 'x'.repeat(16_001) } }, 'parameter_too_long', 'instructions'],
      [{ handoff_reply: '😀'.repeat(2_001) }, 'parameter_too_long', 'handoff_reply'],
      [{ handoff_reply: '' }, 'parameter_invalid', 'handoff_reply'],
      [{ agent: 'kind' }, 'parameter_invalid', 'agent'],
      [{ rate_limits: { read: -1 } }, 'parameter_invalid', 'read'],
      [{ rate_limits: { write: 1.5 } }, 'parameter_invalid', 'write'],
      [{ time_zone: 'Berlin' }, 'time_range_invalid', 'time_zone'],
      [{ time_zone: '+01:00' }, 'time_range_invalid', 'time_zone'],
      [{ time_zone: 5 }, 'parameter_invalid', 'time_zone'],
      [{ name: '' }, 'parameter_invalid', 'name'],
      [{ name: 'x'.repeat(256) }, 'parameter_too_long', 'name'],
    ] as const) {
      const refusal = await world.admin('PATCH', `/projects/${world.projectId}`, changes);
      expect([changes, refusal.status, refusal.body.error.code, refusal.body.error.param]).toEqual([changes, 400, code, param]);
    }
  });

  it.each([1_000, 110_000])('take a reply window of %d ms', async (reply_window_ms) => {
    const { body } = await world.admin('PATCH', `/projects/${world.projectId}`, { reply_window_ms });
    expect(body.reply_window_ms).toBe(reply_window_ms);
  });

  it('take 2,000 characters for the end of a reply that hands over', async () => {
    const handoff_reply = '😀'.repeat(2_000);
    const { status, body } = await world.admin('PATCH', `/projects/${world.projectId}`, { handoff_reply });
    expect([status, body.handoff_reply]).toEqual([200, handoff_reply]);
  });

  it('take instructions of 16,000 characters', async () => {
    const instructions = '😀'.repeat(16_000);
    const { status, body } = await world.admin('PATCH', `/projects/${world.projectId}`, { agent: { instructions } });
    expect([status, body.agent.instructions]).toEqual([200, instructions]);
  });

  it('unknown or malformed are missing', async () => {
    for (const id of ['prj_01J9Z3K8Q4T6V8X0A2C4E6G8J0', 'default', world.projectId.toLowerCase()]) {
      expect(errorOf(await world.admin('GET', `/projects/${id}`))).toEqual([404, 'invalid_request_error', 'resource_missing']);
      expect((await world.admin('PATCH', `/projects/${id}`, { name: 'x' })).status).toBe(404);
      expect((await world.admin('GET', `/projects/${id}/api_keys`)).status).toBe(404);
      expect((await world.admin('POST', `/projects/${id}/api_keys`, { name: 'x' })).status).toBe(404);
    }
  });

  it('are walked page by page', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await world.admin('POST', '/projects', { name });
    const seen: string[] = [];
    let page = (await world.admin('GET', '/projects?limit=2')).body;
    for (;;) {
      seen.push(...page.data.map(({ name }: { name: string }) => name));
      if (!page.has_more) break;
      page = (await world.admin('GET', `/projects?limit=2&starting_after=${page.next_cursor}`)).body;
    }
    expect(seen.slice(0, 4)).toEqual(['d', 'c', 'b', 'a']);
    expect(seen.at(-1)).toBe('default');
    expect(seen.length).toBe(new Set(seen).size);
  });

  it('under an idempotency key are created once', async () => {
    const headers = { 'idempotency-key': 'once' };
    const first = await world.admin('POST', '/projects', { name: 'one' }, headers);
    const again = await world.admin('POST', '/projects', { name: 'one' }, headers);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(errorOf(await world.admin('POST', '/projects', { name: 'two' }, headers))).toEqual([
      422,
      'idempotency_error',
      'idempotency_key_reused',
    ]);
  });
});

describe('projections', () => {
  it('are listed, and built anew on request by a task', async () => {
    const { body } = await world.admin('GET', '/projections');
    expect(body).toMatchObject({ object: 'list', has_more: false });
    expect(body.data.map(({ name }: { name: string }) => name)).toContain('projects');
    const rebuild = await world.admin('POST', '/projections/projects/rebuild');
    expect([rebuild.status, rebuild.body.kind, rebuild.body.parameters]).toEqual([
      202,
      'projections.rebuild',
      { names: ['projects'] },
    ]);
    expect(errorOf(await world.admin('POST', '/projections/songs/rebuild'))).toEqual([
      404,
      'invalid_request_error',
      'resource_missing',
    ]);
  });
});
