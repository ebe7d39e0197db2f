import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { forEach } from './client.mjs';
import { readJournal } from './journal.mjs';

/** Kinds of requests that post a message. */
const MESSAGES = ['message', 'kept', 'human'];
const LOOKS = 20;
const LOOKING_EVERY_MS = 250;

export const same = isDeepStrictEqual;

function readAsked(path) {
  const asked = new Map();
  for (const entry of readJournal(path)) {
    if (entry.is === 'asked') asked.set(entry.key, { ...entry, answers: [], reads: [], cuts: 0 });
    else if (entry.is === 'cut') asked.get(entry.key).cuts++;
    else if (entry.is === 'read') asked.get(entry.key).reads.push(entry);
    else asked.get(entry.key).answers.push(entry);
  }
  for (const each of asked.values()) {
    const isMessage = MESSAGES.includes(each.kind);
    each.final = each.answers.findLast(({ status }) => status < 500 && status !== 429 && !(isMessage && status === 202));
    if (isMessage) Object.assign(each, acknowledgement(each));
  }
  return [...asked.values()];
}

/** When and as what a message was first acknowledged, with or without its reply; nothing if it was not. */
function acknowledgement({ answers, reads }) {
  const inAnswers = answers.filter(({ status }) => status < 300).map(({ at, text }) => ({ at, ...JSON.parse(text) }));
  const [first] = [...inAnswers, ...reads].toSorted((a, b) => a.at - b.at);
  return first && { acknowledgedAt: first.at, messageId: first.id, conversationId: first.conversation_id };
}

/** Requests of a kind, with their answers in `told`. */
export function acknowledged(asked, kind) {
  return asked
    .filter((each) => each.kind === kind && each.final?.status < 300)
    .map((each) => ({ ...each, told: JSON.parse(each.final.text) }));
}

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
  const sessions = await client.list('/v1/sessions');
  const customers = await client.list('/v1/customers');
  const tasks = await client.list('/v1/tasks');
  const turns = new Map();
  await forEach(sessions, async ({ id }) => turns.set(id, await client.list(`/v1/sessions/${id}/turns`)));
  return {
    client,
    metrics: await restingMetrics(client),
    asked: readAsked(clientLog),
    received: readJournal(receiverLog),
    endpoints: new Map(endpoints.map((endpoint) => [endpoint.id, endpoint])),
    attempts: new Map(allAttempts({ deliveries }).map((each) => [`${each.delivery.id} ${each.attempt}`, each])),
    events,
    appointments,
    conversations,
    sessions,
    tasks: new Map(tasks.map((task) => [task.id, task])),
    customers,
    deliveries,
    transcripts,
    turns,
  };
}

export function allDeliveries({ deliveries }) {
  return [...deliveries.values()].flat();
}

export function allAttempts(truth) {
  return allDeliveries(truth).flatMap((delivery) => delivery.attempts.map((attempt) => ({ ...attempt, delivery })));
}

/** By name and labels, such as `projection_lag_seconds{projection="events"}`, summed over processes. */
async function readMetrics(client) {
  const sums = new Map();
  for (const line of (await client.metrics()).join('\n').split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const end = line.lastIndexOf(' ');
    const name = line.slice(0, end);
    sums.set(name, (sums.get(name) ?? 0) + Number(line.slice(end + 1)));
  }
  return sums;
}

/** The metrics once no read model lags, or after a while. */
async function restingMetrics(client) {
  for (let left = LOOKS; ; left--) {
    const metrics = await readMetrics(client);
    const lags = [...metrics].some(([name, value]) => name.startsWith('projection_lag_seconds') && value > 0);
    if (!lags || left === 0) return metrics;
    await pause(LOOKING_EVERY_MS);
  }
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
