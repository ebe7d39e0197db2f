import { isDeepStrictEqual } from 'node:util';
import { forEach } from './client.mjs';
import { readJournal } from './journal.mjs';

export const same = isDeepStrictEqual;

/** What the client's log says: every request, and each answer to it. */
function readAsked(path) {
  const asked = new Map();
  for (const entry of readJournal(path)) {
    if (entry.is === 'asked') asked.set(entry.key, { ...entry, answers: [], cuts: 0 });
    else if (entry.is === 'cut') asked.get(entry.key).cuts++;
    else asked.get(entry.key).answers.push(entry);
  }
  for (const each of asked.values()) each.final = each.answers.findLast(({ status }) => status < 500 && status !== 429);
  return [...asked.values()];
}

/** Requests of a kind that were acknowledged, each with what it was told. */
export function acknowledged(asked, kind) {
  return asked
    .filter((each) => each.kind === kind && each.final?.status < 300)
    .map((each) => ({ ...each, told: JSON.parse(each.final.text) }));
}

/** Everything that the public API tells after a run, with both logs. */
export async function gather(client, { clientLog, receiverLog }) {
  const endpoints = await client.list('/v1/webhook_endpoints');
  const events = await client.list('/v1/events');
  const appointments = await client.list('/v1/appointments');
  const conversations = await client.list('/v1/conversations');
  const deliveries = new Map();
  await forEach(events, async ({ id }) => deliveries.set(id, await client.list(`/v1/events/${id}/deliveries`)));
  const transcripts = new Map();
  await forEach(conversations, async ({ id }) => {
    transcripts.set(id, await client.list(`/v1/conversations/${id}/messages`));
  });
  return {
    client,
    asked: readAsked(clientLog),
    received: readJournal(receiverLog),
    endpoints: new Map(endpoints.map((endpoint) => [endpoint.id, endpoint])),
    ...{ events, appointments, conversations, deliveries, transcripts },
  };
}

export function groupBy(items, keyOf) {
  const groups = new Map();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
