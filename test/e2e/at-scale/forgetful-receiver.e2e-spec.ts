import { createHash } from 'node:crypto';
import type { Client } from '../harness/client.js';
import { makeEvents } from '../harness/ledger.js';
import { Processes } from '../harness/processes.js';
import { Backend, LOCAL_HOOKS, noneIn, subscribe } from '../harness/receiver.js';
import { sized, STEP_MS, TEST_MS } from '../harness/size.js';
import { completed } from '../harness/tasks.js';

jest.setTimeout(TEST_MS);

const EVENTS = sized(50_000);
const FORGOTTEN = EVENTS / 100;
/** As many slices at each size. */
const MAX_IDS = sized(5_000);
const SEED = 'forgetful';
const OPEN = ['pending', 'delivering', 'retrying'];

let processes: Processes;
let backend: Backend;
beforeAll(async () => {
  [processes, backend] = await Promise.all([Processes.start(LOCAL_HOOKS), Backend.start()]);
});
afterAll(() => Promise.all([processes.dispose(), backend.close()]));

interface Endpoint {
  readonly client: Client;
  readonly id: string;
}

interface Kept {
  readonly id: string;
  readonly at: number;
}

interface Slice {
  readonly from: number;
  readonly until: number;
  readonly ids: readonly string[];
}

/** In an order that the seed alone decides. */
function shuffled<T>(all: readonly T[]): readonly T[] {
  const rank = (index: number) => createHash('sha256').update(`${SEED} ${index}`).digest('hex');
  return all
    .map((each, index) => ({ each, rank: rank(index) }))
    .toSorted((one, other) => (one.rank < other.rank ? -1 : 1))
    .map(({ each }) => each);
}

/** What was received in a time, in halves of it where that is more than one request may name. */
function slicesOf(kept: readonly Kept[], from: number, until: number): readonly Slice[] {
  const ids = kept.filter(({ at }) => at >= from && at < until).map(({ id }) => id);
  if (ids.length <= MAX_IDS) return [{ from, until, ids }];
  const middle = Math.floor((from + until) / 2);
  return [...slicesOf(kept, from, middle), ...slicesOf(kept, middle, until)];
}

/** From the first to after the last. */
function timeOf(received: readonly Kept[]): readonly [number, number] {
  const times = received.map(({ at }) => at).toSorted((one, other) => one - other);
  return [times[0] ?? 0, (times.at(-1) ?? 0) + 1];
}

const toTime = (at: number) => new Date(at).toISOString();

/** What the comparisons of all slices of a time found, added up. */
async function reconciled({ client, id }: Endpoint, kept: readonly Kept[], [from, until]: readonly [number, number]) {
  const found = { slices: 0, expected: 0, missing: 0, created: 0, unknown: 0 };
  for (const slice of slicesOf(kept, from, until)) {
    const terms = { since: toTime(slice.from), until: toTime(slice.until), received: slice.ids, per_second: 500 };
    const asked = await client.post(`/v1/webhook_endpoints/${id}/reconcile`, terms);
    const { result } = await completed(client, asked, STEP_MS);
    found.slices += 1;
    for (const member of ['expected', 'missing', 'created'] as const) found[member] += result[member];
    found.unknown += result.unknown.count;
  }
  return found;
}

it('what a receiver has forgotten of fifty thousand events is found in slices of time, sent, and missing no more', async () => {
  const hook = backend.hook(200);
  const endpoint = await subscribe(processes.gateway, hook.url);
  const isOver = () => noneIn(OPEN, endpoint.client, endpoint.id, STEP_MS);
  await makeEvents(endpoint.client, EVENTS, EVENTS / 10);
  await hook.received(EVENTS, STEP_MS);
  await isOver();
  const bodies = hook.requests.map(({ body }) => JSON.parse(body));
  const received = shuffled(bodies.map((event) => ({ id: event.id as string, at: Date.parse(event.created_at) })));
  const [forgotten, kept] = [received.slice(0, FORGOTTEN), received.slice(FORGOTTEN)];
  const time = timeOf(received);
  hook.requests.length = 0;

  const { slices, ...found } = await reconciled(endpoint, kept, time);
  expect(found).toEqual({ expected: EVENTS, missing: FORGOTTEN, created: FORGOTTEN, unknown: 0 });
  expect(slices).toBeGreaterThanOrEqual(10);
  await hook.received(FORGOTTEN, STEP_MS);
  expect(hook.eventIds.toSorted()).toEqual(forgotten.map(({ id }) => id).toSorted());

  await isOver();
  const { slices: _, ...none } = await reconciled(endpoint, received, time);
  expect(none).toEqual({ expected: EVENTS, missing: 0, created: 0, unknown: 0 });
  expect(hook.requests).toHaveLength(FORGOTTEN);
});
