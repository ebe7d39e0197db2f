import { eventually } from '../harness/eventually.js';
import { makeEvents } from '../harness/ledger.js';
import { walkItems } from '../harness/lists.js';
import { Processes } from '../harness/processes.js';
import { Backend, LOCAL_HOOKS, noneIn, subscribe } from '../harness/receiver.js';
import { sized, STEP_MS, TEST_MS } from '../harness/size.js';
import { completed, LONG_AGO } from '../harness/tasks.js';

jest.setTimeout(TEST_MS);

const EVENTS = sized(10_000);
/** Six: each of three apps twice, or one service six times. */
const KILLS = 6;
const OPEN = ['pending', 'delivering', 'retrying'];
const NO_SKIPS = { recovered: 0, superseded: 0, endpoint_unavailable: 0, event_expired: 0, limit_exceeded: 0 };

let processes: Processes;
let backend: Backend;
beforeAll(async () => {
  [processes, backend] = await Promise.all([Processes.start({ ...LOCAL_HOOKS, RETRY_SCHEDULE: '0s,1s' }), Backend.start()]);
});
afterAll(() => Promise.all([processes.dispose(), backend.close()]));

/** Waits until the task has made so many, and expects that it is not over then. */
async function untilCreated(count: number, task: () => Promise<any>): Promise<void> {
  const { status } = await eventually(async () => {
    const now = await task();
    expect(now.result?.created).toBeGreaterThanOrEqual(count);
    return now;
  }, STEP_MS);
  expect(status).toBe('running');
}

it('ten thousand failed deliveries are recovered once each while every process is killed in turn', async () => {
  const hook = backend.hook(404);
  const { client, id } = await subscribe(processes.gateway, hook.url);
  const api = () => processes.gateway.as(client.token);
  await makeEvents(client, EVENTS, EVENTS / 5);
  await hook.received(EVENTS, STEP_MS);
  await noneIn(OPEN, api(), id, STEP_MS);
  hook.answers = [200];

  const asked = await client.post(`/v1/webhook_endpoints/${id}/recover`, { since: LONG_AGO, per_second: sized(500) });
  const task = async () => (await api().get(`/v1/tasks/${asked.body.id}`)).body;
  for (let kill = 0; kill < KILLS; kill++) {
    await untilCreated((EVENTS * (kill + 1)) / (KILLS + 2), task);
    const killed = processes.all[kill % processes.all.length];
    await killed?.kill();
    await killed?.restart();
  }
  const done = await completed(api(), asked, STEP_MS);
  expect(done.result).toEqual({ matched: EVENTS, created: EVENTS, skipped: NO_SKIPS });
  expect(done.progress).toEqual({ examined: EVENTS, total: EVENTS });
  await noneIn(OPEN, api(), id, STEP_MS);

  const deliveries = await walkItems({ client: api(), path: '/v1/deliveries' }, { endpoint_id: id, limit: 100 });
  const originals = deliveries.filter(({ trigger }) => trigger === 'event');
  const fresh = deliveries.filter(({ trigger }) => trigger === 'bulk_replay');
  expect([deliveries.length, originals.length, fresh.length]).toEqual([2 * EVENTS, EVENTS, EVENTS]);
  expect(new Set(originals.map(({ status }) => status))).toEqual(new Set(['failed']));
  expect(new Set(fresh.map(({ status }) => status))).toEqual(new Set(['succeeded']));
  expect(pairs(fresh, 'replay_of')).toEqual(pairs(originals, 'id'));
  expect(new Set(hook.eventIds.slice(EVENTS))).toEqual(new Set(originals.map(({ event_id: eventId }) => eventId)));
});

/** Each event with the original of its delivery. */
function pairs(deliveries: readonly any[], original: 'id' | 'replay_of'): readonly string[] {
  return deliveries.map((delivery) => `${delivery.event_id} ${delivery[original]}`).toSorted();
}
