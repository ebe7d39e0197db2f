import type { Recorded } from '@ports/event-store.port';
import { historyOf, type KeyedRequest } from './history.js';
import { OpenedDirectory, eventsStored, type Name } from './opened-directory.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const SETTINGS = { CONVERSATION_IDLE_MS: String(2 * HOUR), WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' };

interface Endpoints {
  readonly data: readonly { readonly id: string; readonly failing_since: string | null }[];
}

/** Version 0.1.0 said null of every endpoint, whatever its deliveries did. */
const withoutFailingSince = (name: string, value: unknown): unknown => (name === 'failing_since' ? undefined : value);
const toldBy = (name: Name) => (name.startsWith('0.1.0/') ? withoutFailingSince : undefined);

const requestsOf = (name: Name, isKept: boolean) =>
  historyOf(name)
    .requests.filter((request) => request.isKept === isKept)
    .map((request): [string, KeyedRequest] => [request.key, request]);

/** Issues are opened of what had failed before, which earlier releases did not know. */
const withoutIssues = (events: readonly Recorded[]) => events.filter(({ stream }) => !stream.startsWith('issue-'));

describe.each<Name>(['0.1.0/closed', '0.1.0/killed', '950d83f6/killed'])(
  'the data directory %s of a release, opened an hour later',
  (name) => {
    let opened: OpenedDirectory;
    beforeAll(async () => void (opened = await OpenedDirectory.open(name, SETTINGS)));
    afterAll(() => opened.close());

    it('has every event, and neither sends nor sweeps what is not due', async () => {
      const stored = await eventsStored(name);
      expect(stored.length).toBeGreaterThan(50);
      expect(stored.filter((event) => 'metadata' in event)).toEqual([]);
      await opened.pass(11 * MINUTE);
      expect(withoutIssues(await opened.events())).toEqual(stored);
      expect(opened.sender.sent).toEqual([]);
    });

    it('shows what it showed, beside members that are new', async () => {
      for (const { path, body } of opened.history.reads) {
        expect([path, JSON.parse(await opened.get(path))]).toMatchObject([path, JSON.parse(body, toldBy(name))]);
      }
    });

    it('has the rows that the log makes now: a version is raised wherever the same events give other rows', async () => {
      const stored = await opened.rows();
      expect(Object.values(stored).flat().length).toBeGreaterThan(20);
      await opened.rebuild();
      expect(await opened.rows()).toEqual(stored);
    });

    it('tells since when its endpoints fail, which version 0.1.0 did not tell yet', async () => {
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

    it('replays the turns whose answers were not kept under their keys', async () => {
      for (const [, request] of requestsOf(name, false)) {
        const { status, headers, body } = await opened.again(request);
        const { conversation, ...turn } = JSON.parse(body) as { conversation: { id: string } };
        const { conversation: _then, ...answered } = JSON.parse(request.answer.body) as typeof turn & { conversation: unknown };
        expect([status, turn]).toEqual([request.answer.status, answered]);
        expect(conversation).toEqual(JSON.parse(await opened.get(`/v1/conversations/${conversation.id}`)));
        expect(headers['idempotent-replayed']).toBe('true');
      }
    });

    it('does nothing again for a key that it knows', async () => {
      expect(withoutIssues(await opened.events())).toEqual(await eventsStored(name));
    });

    it('sends what waits once its time has come, ends what is idle, and closes calls that nobody closed', async () => {
      await opened.pass(5 * HOUR);
      const posted = [...new Set(opened.history.posted.map(({ body }) => body))];
      const sent = (status: number) => opened.sender.sent.filter(({ url }) => url.endsWith(`/hooks/${status}`));
      expect(sent(503).map(({ body }) => body)).toEqual(expect.arrayContaining(posted));
      expect([sent(200), sent(400), sent(503)].map(({ length }) => length)).toEqual([1, 1, posted.length + 1]);
      const added = (await opened.events()).slice((await eventsStored(name)).length);
      expect(added.filter(({ metadata }) => !metadata?.$correlationId)).toEqual([]);
      const types = added.map(({ event }) => event.type);
      expect(types).toEqual(expect.arrayContaining(['ConversationEnded', 'SessionClosed']));
    });
  },
);
