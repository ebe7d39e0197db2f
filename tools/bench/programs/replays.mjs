// Replays in bulk as the interface describes it: the events are listed, then their deliveries, and the failed ones retried.
import { Connection } from './connection.mjs';

const { url, key, connections } = JSON.parse(process.argv[2]);
const open = () => Connection.open(url);

async function asked(connection, method, path, body) {
  const { status, text } = await connection.ask(method, path, { key, body });
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
  return JSON.parse(text);
}

const queue = [];
let listed = false;
let replayed = 0;

async function list(connection) {
  for (let after = ''; ; after = `&starting_after=${queue.at(-1)}`) {
    const page = await asked(connection, 'GET', `/v1/events?limit=100${after}`);
    queue.push(...page.data.map(({ id }) => id));
    if (!page.has_more) break;
  }
  listed = true;
}

let taken = 0;

async function retryAll(connection) {
  while (taken < queue.length || !listed) {
    const id = queue[taken];
    if (id === undefined) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      continue;
    }
    taken += 1;
    const { data } = await asked(connection, 'GET', `/v1/events/${id}/deliveries`);
    const failed = data.filter(({ status, id: own }) => status === 'failed' && !data.some((one) => one.replay_of === own));
    for (const delivery of failed) await asked(connection, 'POST', `/v1/events/${id}/deliveries/${delivery.id}/retry`, {});
    replayed += failed.length;
  }
}

const [first, ...others] = await Promise.all(Array.from({ length: connections + 1 }, open));
await Promise.all([list(first), ...others.map(retryAll)]);
process.stdout.write(JSON.stringify({ replayed }), () => process.exit(0));
