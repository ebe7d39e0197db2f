import { OpenedDirectory, eventsStored, historyOf, type Name, type KeyedRequest } from './opened-directory.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const SETTINGS = { CONVERSATION_IDLE_MS: String(2 * HOUR), WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' };

interface Endpoints {
  readonly data: readonly { readonly id: string; readonly failing_since: string | null }[];
}

/** The release said null of every endpoint, whatever its deliveries did. */
const withoutFailingSince = (name: string, value: unknown): unknown => (name === 'failing_since' ? undefined : value);

const requestsOf = (name: Name, isKept: boolean) =>
  historyOf(name)
    .requests.filter((request) => request.isKept === isKept)
    .map((request): [string, KeyedRequest] => [request.key, request]);

describe.each<Name>(['0.1.0/closed', '0.1.0/killed'])('the data directory %s of a release, opened an hour later', (name) => {
  let opened: OpenedDirectory;
  beforeAll(async () => void (opened = await OpenedDirectory.open(name, SETTINGS)));
  afterAll(() => opened.close());

  it('has every event, and neither sends nor sweeps what is not due', async () => {
    const stored = await eventsStored(name);
    expect(stored.length).toBeGreaterThan(50);
    await opened.pass(11 * MINUTE);
    expect(await opened.events()).toEqual(stored);
    expect(opened.sender.sent).toEqual([]);
  });

  it('shows what it showed, beside members that are new', async () => {
    for (const { path, body } of opened.history.reads) {
      expect([path, JSON.parse(await opened.get(path))]).toMatchObject([path, JSON.parse(body, withoutFailingSince)]);
    }
  });

  it('tells since when its endpoints fail, which the release did not tell yet', async () => {
    const first = new Map<string, string>();
    for (const { body } of opened.history.reads.filter(({ path }) => path.endsWith('/deliveries'))) {
      for (const { webhook_endpoint_id: id, status, attempts } of JSON.parse(body).data) {
        const at: string | undefined = status === 'succeeded' ? undefined : attempts[0]?.started_at;
        if (at !== undefined && !(first.get(id)! < at)) first.set(id, at);
      }
    }
    const { data } = JSON.parse(await opened.get('/v1/webhook_endpoints')) as Endpoints;
    expect(first.size).toBe(2);
    expect(data.map((each) => each.failing_since)).toEqual(data.map(({ id }) => first.get(id) ?? null));
  });

  it.each(requestsOf(name, true))('replays the answer that was kept under the key %s, byte for byte', async (_, request) => {
    const { status, headers, body } = await opened.again(request);
    expect([status, body]).toEqual([request.answer.status, request.answer.body]);
    expect(headers).toMatchObject({ 'idempotent-replayed': 'true', 'original-request': request.answer.headers['request-id'] });
    for (const name of ['content-type', 'etag']) expect([name, headers[name]]).toEqual([name, request.answer.headers[name]]);
  });

  it.each(requestsOf(name, false))('replays the turn whose answer was not kept under the key %s', async (_, request) => {
    const { status, headers, body } = await opened.again(request);
    const { conversation, ...turn } = JSON.parse(body) as { conversation: { id: string } };
    const { conversation: _then, ...answered } = JSON.parse(request.answer.body) as typeof turn & { conversation: unknown };
    expect([status, turn]).toEqual([request.answer.status, answered]);
    expect(conversation).toEqual(JSON.parse(await opened.get(`/v1/conversations/${conversation.id}`)));
    expect(headers['idempotent-replayed']).toBe('true');
  });

  it('does nothing again for a key that it knows', async () => {
    expect(await opened.events()).toEqual(await eventsStored(name));
  });

  it('sends what waits once its time has come, ends what is idle, and closes calls that nobody closed', async () => {
    await opened.pass(5 * HOUR);
    const posted = [...new Set(opened.history.posted.map(({ body }) => body))];
    const sent = (status: number) => opened.sender.sent.filter(({ url }) => url.endsWith(`/hooks/${status}`));
    expect(sent(503).map(({ body }) => body)).toEqual(expect.arrayContaining(posted));
    expect([sent(200), sent(400), sent(503)].map(({ length }) => length)).toEqual([1, 1, posted.length + 1]);
    const types = (await opened.events()).slice((await eventsStored(name)).length).map(({ event }) => event.type);
    expect(types).toEqual(expect.arrayContaining(['ConversationEnded', 'SessionClosed']));
  });
});
