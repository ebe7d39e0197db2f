// Compares the events that receive-webhooks.mjs has kept with those that its endpoint was to get, and has the difference sent. Run it
// each night, and after a backup of the receiver was restored. Node alone, no packages:
//
//   BASE_URL='https://…' KEY='sk_…' ENDPOINT='we_…' RECEIVED=received.txt SINCE='2026-11-26T00:00:00Z' \
//     node docs/examples/reconcile-webhooks.mjs
//
// It ends with 1 where a comparison did not complete.
import { existsSync, readFileSync } from 'node:fs';

const MAX_IDS = 5_000;
const MINUTE = 60_000;
const { BASE_URL, KEY, ENDPOINT, RECEIVED = '', SINCE = '' } = process.env;
// What happened in the last minute may be on its way from the receiver to its list.
const { UNTIL = new Date(Date.now() - MINUTE).toISOString() } = process.env;
if (!BASE_URL || !KEY || !ENDPOINT || !RECEIVED || !SINCE)
  throw new Error('BASE_URL, KEY, ENDPOINT, RECEIVED and SINCE are required.');

const lines = existsSync(RECEIVED) ? readFileSync(RECEIVED, 'utf8').split('\n').filter(Boolean) : [];
const received = lines.map((line) => line.split(' ')).map(([at, id]) => ({ at: Date.parse(at), id }));

async function ask(path, body) {
  const response = await fetch(`${BASE_URL}/v1/${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${KEY}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** The task, once it is over. */
async function over(task) {
  if (task.status !== 'pending' && task.status !== 'running') return task;
  await new Promise((resolve) => setTimeout(resolve, 500));
  return over(await ask(`tasks/${task.id}`));
}

/** Compares a slice of time, in halves where it has more events than one request may name. */
async function reconcile(from, until) {
  // An event may have been received several times.
  const ids = [...new Set(received.filter(({ at }) => at >= from && at < until).map(({ id }) => id))];
  if (ids.length > MAX_IDS) {
    const middle = Math.floor((from + until) / 2);
    await reconcile(from, middle);
    return reconcile(middle, until);
  }
  const [since, end] = [from, until].map((at) => new Date(at).toISOString());
  const asked = await ask(`webhook_endpoints/${ENDPOINT}/reconcile`, { since, until: end, received: ids });
  const { status, result } = await over(asked);
  const { expected, missing, unknown } = result ?? {};
  console.log(`${since} to ${end}: ${status}, expected ${expected}, missing ${missing}, unknown ${unknown?.count}`);
  if (status !== 'completed') process.exitCode = 1;
}

await reconcile(Date.parse(SINCE), Date.parse(UNTIL));
