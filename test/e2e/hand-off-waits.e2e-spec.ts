import { setTimeout as pause } from 'node:timers/promises';
import { App } from './harness/app.js';
import type { Client } from './harness/client.js';
import { eventually } from './harness/eventually.js';
import { errorOf } from './harness/expectations.js';
import { ENGINE, Installation } from './harness/installation.js';

/** What is waited for in vain, in seconds. */
const IN_VAIN = 2;
/** Long enough for the slowest machine. */
const LONG = 55;

let installation: Installation;
let apps: App[];
/** On the cluster these are two gateways. */
let client: Client;
let desk: Client;
beforeAll(async () => {
  installation = new Installation();
  const parts = ENGINE === 'cluster' ? (['gateway', 'gateway', 'projections'] as const) : (['service'] as const);
  const [first, ...others] = parts;
  apps = [await App.start({}, installation, first)];
  apps.push(...(await Promise.all(others.map((part) => App.start({}, installation, part)))));
  [client, desk] = [apps[0]!.api, (ENGINE === 'cluster' ? apps[1]! : apps[0]!).api];
});
afterAll(async () => {
  await Promise.all(apps.map((app) => app.kill()));
  await installation.dispose();
});

interface HandedOff {
  readonly id: string;
  readonly handed_off_at: string;
}

const handOff = async (by: Client = client): Promise<HandedOff> => {
  const { body } = await by.post('/v1/conversations', {});
  return (await by.post(`/v1/conversations/${body.id}/handoff`, { reason: 'test' })).body;
};
const timed = async <T>(work: Promise<T>) => {
  const begun = performance.now();
  const result = await work;
  return { result, ms: performance.now() - begun };
};
/** Whom nothing was handed to yet: hand-offs after this one. */
const since = async () => `status=handed_off&handed_off_at[gt]=${(await handOff()).handed_off_at}`;
const waitFor = (query: string, seconds: number, by: Client = desk) => by.get(`/v1/conversations?${query}&wait=${seconds}`);

describe('the list of hand-offs', () => {
  it('has those of a time', async () => {
    const [first, second] = [await handOff(), (await pause(2), await handOff())];
    const ids = async (query: string) => {
      const { body } = await client.get(`/v1/conversations?${query}`);
      return body.data.map(({ id }: HandedOff) => id);
    };
    expect(await ids(`handed_off_at[gte]=${first.handed_off_at}`)).toEqual([second.id, first.id]);
    expect(await ids(`handed_off_at[gt]=${first.handed_off_at}`)).toEqual([second.id]);
    expect(await ids(`handed_off_at[gte]=${first.handed_off_at}&handed_off_at[lt]=${second.handed_off_at}`)).toEqual([first.id]);
    expect(await ids(`handed_off_at[lte]=${first.handed_off_at}&limit=1`)).toEqual([first.id]);
  });

  it('is answered at once where there is something, or nobody waits', async () => {
    const query = await since();
    expect((await timed(client.get(`/v1/conversations?${query}`))).result.body.data).toEqual([]);
    const one = await handOff();
    const { result } = await timed(waitFor(query, LONG, client));
    expect(result.body.data).toEqual([one]);
  });

  it('is empty after the wait', async () => {
    const { result, ms } = await timed(waitFor(await since(), IN_VAIN));
    expect([result.status, result.body.data, result.body.has_more]).toEqual([200, [], false]);
    expect(ms).toBeGreaterThanOrEqual(IN_VAIN * 1_000 - 50);
  });

  it('takes a wait beyond the bounds for the nearest, and nothing but whole numbers', async () => {
    const query = await since();
    expect((await waitFor(query, -5)).body.data).toEqual([]);
    for (const wait of ['abc', '1.5', '']) {
      const answer = await desk.get(`/v1/conversations?wait=${wait}`);
      expect(errorOf(answer)).toEqual([400, 'invalid_request_error', 'parameter_invalid', 'wait']);
    }
    const waiting = waitFor(query, 100_000);
    const one = await handOff();
    expect((await waiting).body.data).toEqual([one]);
  });

  it('is answered as soon as a conversation is handed over, at whichever gateway', async () => {
    const waiting = waitFor(await since(), LONG);
    await pause(300);
    const one = await handOff();
    const { result, ms } = await timed(waiting);
    expect(result.body.data).toEqual([one]);
    expect(ms).toBeLessThan(20_000);
  });

  it('misses no hand-off among many, at all gateways and at once', async () => {
    const ids = new Set<string>();
    const seen = new Map<string, string>();
    let last = (await handOff()).handed_off_at;
    const many = Array.from({ length: 8 }, async (_, worker) => {
      for (let n = 0; n < 12; n++) {
        await pause((worker * 7 + n * 13) % 40);
        ids.add((await handOff(worker % 2 === 0 ? client : desk)).id);
      }
    });
    const done = Promise.all(many).then(() => true);
    for (let isDone = false; !isDone || seen.size < ids.size;) {
      const { status, body } = await waitFor(`status=handed_off&handed_off_at[gt]=${last}&limit=100`, isDone ? IN_VAIN : 5);
      expect(status).toBe(200);
      isDone = await Promise.race([done, Promise.resolve(false)]);
      if (body.data.length === 0 && isDone) break;
      for (const { id, handed_off_at: at } of body.data) {
        expect(seen.has(id)).toBe(false);
        seen.set(id, at);
        if (at > last) last = at;
      }
    }
    expect([...seen.keys()].toSorted()).toEqual([...ids].toSorted());
  });

  it("is not answered by another project's hand-offs", async () => {
    const other = await apps[0]!.otherProject();
    const waiting = waitFor(await since(), IN_VAIN);
    await handOff(other);
    expect((await waiting).body.data).toEqual([]);
  });

  it('holds up no other request of its project while it is waited for', async () => {
    const query = await since();
    const waiting = Array.from({ length: 60 }, () => waitFor(query, LONG));
    await pause(300);
    const { ms } = await timed(desk.get('/v1/conversations'));
    expect(ms).toBeLessThan(10_000);
    const one = await handOff();
    for (const { status, body } of await Promise.all(waiting)) expect([status, body.data]).toEqual([200, [one]]);
  });

  it('ends with its client', async () => {
    const gateway = apps.find(({ url }) => url === desk.url)!;
    const leaving = new AbortController();
    const query = await since();
    const asked = fetch(`${desk.url}/v1/conversations?${query}&wait=${LONG}`, {
      headers: { authorization: `Bearer ${desk.token}` },
      signal: leaving.signal,
    });
    const left = asked.then(
      () => 'answered',
      () => 'left',
    );
    await eventually(async () => expect(await gateway.requestsInFlight()).toBe(1));
    leaving.abort();
    expect(await left).toBe('left');
    await eventually(async () => expect(await gateway.requestsInFlight()).toBe(0));
  });

  it('ends at once when the gateway is stopped, with what there is', async () => {
    const gateway = apps.find(({ url }) => url === desk.url)!;
    const waiting = waitFor(await since(), LONG);
    await eventually(async () => expect(await gateway.requestsInFlight()).toBe(1));
    const { result: code, ms } = await timed(gateway.stop());
    const { status, body } = await waiting;
    expect([code, status, body.data]).toEqual([0, 200, []]);
    expect(ms).toBeLessThan(15_000);
  });
});
