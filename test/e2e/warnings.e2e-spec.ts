import { App } from './harness/app.js';
import type { Answer } from './harness/client.js';
import { eventually } from './harness/eventually.js';

let app: App;
beforeAll(async () => void (app = await App.start()));
afterAll(() => app.dispose());

const warned = ({ headers }: Answer) => headers.get('service-warning');

async function loggedOf(answer: Answer): Promise<Record<string, unknown>> {
  const id = answer.headers.get('request-id') ?? '';
  return eventually(() => {
    const line = app.log.split('\n').find((one) => one.includes(`"request_id":"${id}"`));
    return JSON.parse(line ?? 'not logged yet') as Record<string, unknown>;
  });
}

describe('what is taken and will not do what it seems is told in Service-Warning', () => {
  it('for a parameter that the list does not have, beside the answer as ever', async () => {
    const answer = await app.api.get('/v1/conversations?external_conversation_id=t1&limit=1');
    expect([answer.status, answer.body.object]).toEqual([200, 'list']);
    expect(warned(answer)).toBe("unknown parameter 'external_conversation_id'; did you mean 'external_id'?");
    expect(await loggedOf(answer)).toMatchObject({ status: 200, warnings: 1 });
  });

  it('for each member that the body does not have, nested ones too', async () => {
    const body = {
      external_conversation_id: 'warned',
      content: 'Hi',
      markdwon: false,
      customer: { phone: '+4915112345678', mail: 'a@b.co' },
    };
    const answer = await app.api.post('/v1/messages', body);
    expect(answer.status).toBe(200);
    expect(warned(answer)).toBe(
      "unknown member 'markdwon'; did you mean 'markdown'?, unknown member 'customer.mail'; did you mean 'email'?",
    );
    expect(await loggedOf(answer)).toMatchObject({ warnings: 2 });
  });

  it('for what a message says of its conversation, unless it makes it', async () => {
    const said = { customer: { phone: '+4915112345671' }, metadata: { channel: 'web' }, time_zone: 'Europe/Berlin' };
    const first = await app.api.say('warned-of-creation', 'Hi', said);
    expect([warned(first), first.body.conversation.time_zone]).toEqual([null, 'Europe/Berlin']);
    const next = await app.api.say('warned-of-creation', 'Hi', { ...said, time_zone: 'Asia/Tokyo' });
    expect(next.body.conversation).toMatchObject({ time_zone: 'Europe/Berlin' });
    const ignored = (name: string) =>
      `'${name}' is ignored: the conversation exists already; PATCH /v1/conversations/{id} sets it`;
    expect(warned(next)).toBe(['customer', 'metadata', 'time_zone'].map(ignored).join(', '));
    expect(warned(await app.api.say('warned-of-creation', 'Hi', { metadata: null }))).toBeNull();
    const byId = await app.api.post(`/v1/conversations/${next.body.conversation_id}/messages`, {
      content: 'Hi',
      time_zone: 'UTC',
    });
    expect(warned(byId)).toBe("unknown member 'time_zone'; known here: content, markdown, when_handed_off, role, author");
  });

  it('for a zone that is not read', async () => {
    const body = { external_id: 'warned-of-zone', metadata: { time_zone: 'Berlin' } };
    const answer = await app.api.post('/v1/conversations', body);
    expect([answer.status, warned(answer)]).toEqual([
      201,
      expect.stringMatching(/^metadata\.time_zone is not read as a time zone/),
    ]);
    const misspelt = await app.api.say('warned-of-name', 'Hi', { timezone: 'Europe/Berlin' });
    expect(warned(misspelt)).toBe("unknown member 'timezone'; did you mean 'time_zone'?");
  });

  it('for a PATCH by a name of its own, with the names that there are', async () => {
    const { body } = await app.api.post('/v1/customers', { phone: '+4915112345679' });
    const answer = await app.api.patch(`/v1/customers/${body.id}`, { plan: true });
    expect([answer.status, warned(answer)]).toEqual([
      200,
      "unknown member 'plan'; known here: phone, email, name, external_id, metadata",
    ]);
  });

  it('for a body where none is read', async () => {
    const { body } = await app.api.post('/v1/customers', { phone: '+4915112345670' });
    const answer = await app.api.send('DELETE', `/v1/customers/${body.id}`, { erase: true });
    expect([answer.status, warned(answer)]).toEqual([200, "unknown member 'erase'; no members are read here"]);
  });

  it('for a replay of the latest events, which always leaves out what was recovered', async () => {
    const latest = { created_at: { gte: '2026-01-01T00:00:00Z' }, mode: 'latest', dry_run: true };
    const said = async (more: object) => warned(await app.api.post('/v1/deliveries/retry', { ...latest, ...more }));
    expect([await said({}), await said({ skip_recovered: false })]).toEqual([null, expect.stringMatching(/^skip_recovered: /)]);
  });

  it('for a list of events by a type that there is none of', async () => {
    const answer = await app.api.get('/v1/events?type=appointment');
    expect([answer.status, answer.body.data]).toEqual([200, []]);
    expect(warned(answer)).toMatch(/^type: 'appointment' matches no type of event/);
  });

  it('for an endpoint with a filter that matches no type of event, which is registered all the same', async () => {
    const event_filters = ['appointment', 'appointment.*', 'invoice.paid'];
    const made = await app.api.post('/v1/webhook_endpoints', { url: 'https://receiver.example/hooks', event_filters });
    expect([made.status, made.body.event_filters]).toEqual([201, event_filters]);
    expect(warned(made)).toMatch(
      /^event_filters: 'appointment' matches no type.*, event_filters: 'invoice\.paid' matches no type/,
    );
    const changed = await app.api.patch(`/v1/webhook_endpoints/${made.body.id}`, { event_filters: ['appointment.moved'] });
    expect([changed.status, warned(changed)]).toEqual([200, expect.stringContaining("'appointment.moved'")]);
    expect(warned(await app.api.patch(`/v1/webhook_endpoints/${made.body.id}`, { event_filters: ['*'] }))).toBeNull();
  });

  it('with a refusal too, as it may be the cause', async () => {
    const answer = await app.api.post('/v1/messages', { external_id: 't1', content: 'Hi' });
    expect([answer.status, answer.body.error.param]).toEqual([400, 'external_conversation_id']);
    expect(warned(answer)).toBe("unknown member 'external_id'; did you mean 'external_conversation_id'?");
  });

  it('again when the answer is repeated under its key', async () => {
    const post = () => app.api.post('/v1/conversations', { external_id: 'w1', extra: 1 }, { 'idempotency-key': 'warned-1' });
    const [first, second] = [await post(), await post()];
    expect([second.text, second.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
    expect([warned(first), warned(second)]).toEqual([warned(second), expect.stringContaining("'extra'")]);
  });

  it('in few short lines of ASCII, however many names are unknown and whatever they are', async () => {
    const names = [
      'ä\r\nset-cookie: a=b',
      '\u0000',
      'x'.repeat(10_000),
      ...Array.from({ length: 500 }, (_, index) => `unknown-${index}`),
    ];
    const answer = await app.api.post('/v1/conversations', Object.fromEntries(names.map((name) => [name, 1])));
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([201, null]);
    expect(warned(answer)).toMatch(/^unknown member '\?\?\?set-cookie[ -~]{0,2700}, and 495 more$/);
    expect(await loggedOf(answer)).toMatchObject({ warnings: 503 });
  });

  it('never without a cause', async () => {
    expect(warned(await app.api.say('quiet', 'Hi', { markdown: true, metadata: { any: { thing: 1 } } }))).toBeNull();
    expect(warned(await app.api.get('/v1/appointments?starts_at[gte]=2026-01-01T00:00:00Z&status=pending,confirmed'))).toBeNull();
  });
});
