// Replays what an outage of a receiver left behind: deliveries to one endpoint that are `failed`, and those that are still
// `retrying`, with their next attempt hours away. It can be run again at any time. Node alone, no packages:
//
//   KEY='sk_…' API=http://127.0.0.1:3000/v1 SINCE=2026-11-26T00:00:00Z ENDPOINT=we_… node docs/examples/replay-deliveries.mjs
//
// It passes over deliveries that were cancelled because the endpoint was disabled: for a deploy leave it enabled, and the attempts
// that fail meanwhile come again by the schedule.
//
// The key needs the scopes `events:read` and `webhooks:write`. An event takes at most 10,000 deliveries, replays included.
import { setTimeout as pause } from 'node:timers/promises';

const { KEY, API, SINCE, ENDPOINT } = process.env;
if (!KEY || !API || !SINCE || !ENDPOINT) throw new Error('KEY, API, SINCE and ENDPOINT must be set.');

const OVERLOADED = [429, 503];

/** The answer's body, once the rate limit lets the request through. */
async function ask(method, path, more = {}) {
  const answer = await fetch(API + path, { method, headers: { authorization: `Bearer ${KEY}`, ...more } });
  if (!OVERLOADED.includes(answer.status)) return answer.json();
  await pause(1_000 * Number(answer.headers.get('retry-after') ?? 1));
  return ask(method, path, more);
}

/** The items of a list, page by page. */
async function* all(path, filters) {
  for (let cursor = ''; cursor !== null;) {
    const query = new URLSearchParams({ ...filters, limit: '100', ...(cursor && { starting_after: cursor }) });
    const page = await ask('GET', `${path}?${query}`);
    if (page.error) throw new Error(page.error.message);
    yield* page.data;
    cursor = page.next_cursor;
  }
}

let replayed = 0;
for await (const { id, delivery_summary: summary } of all('/events', { 'created_at[gte]': SINCE })) {
  // Most events have nothing to replay: their deliveries need not be asked for.
  if (summary.failed + summary.pending === 0) continue;
  const deliveries = [];
  for await (const delivery of all(`/events/${id}/deliveries`, { endpoint_id: ENDPOINT })) deliveries.push(delivery);
  // A failed delivery stays `failed` after its replay, which shows the result and names it.
  const repeated = new Set(deliveries.map((delivery) => delivery.replay_of));
  for (const { id: delivery, status } of deliveries) {
    if (!['failed', 'retrying'].includes(status) || repeated.has(delivery)) continue;
    const key = { 'idempotency-key': `replay-${delivery}` };
    const fresh = await ask('POST', `/events/${id}/deliveries/${delivery}/retry`, key);
    console.log(id, delivery, status, '->', fresh.id ?? fresh.error.code);
    if (fresh.id) replayed += 1;
  }
}
console.log(`${replayed} replayed`);
