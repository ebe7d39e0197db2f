import { setTimeout as pause } from 'node:timers/promises';

const FIRST_SLOT = Date.UTC(2030, 0, 1);
const HOUR = 3_600_000;
const SHARED = 3;

const slotAt = (number) => new Date(FIRST_SLOT + number * HOUR).toISOString();

export async function ownThread({ client, chance, number, isOver, breathe }) {
  const thread = `${client.name}-thread-${number}`;
  if (chance.happens(0.4)) await open(client, chance, thread);
  for (let rounds = chance.whole(1, 2); rounds > 0 && !isOver(); rounds--) {
    const id = await talk({ client, chance, thread, isOver, breathe, number });
    if (id && chance.happens(0.7)) await close(client, id);
  }
}

export async function sharedThread({ client, chance, breathe }) {
  const thread = `shared-${chance.whole(1, SHARED)}`;
  for (let left = chance.whole(1, 3); left > 0; left--) {
    const id = await say(client, thread, 'everybody talks here', {});
    if (id && chance.happens(0.1)) await close(client, id);
    await breathe();
  }
}

/** Several requests open the same thread at once; one succeeds. */
export async function race({ client, chance, number }) {
  const thread = `${client.name}-race-${number}`;
  const racer = async () => {
    await pause(chance.between(0, 5));
    return chance.happens(0.5) ? open(client, chance, thread) : say(client, thread, 'who is first?', {});
  };
  await Promise.all(Array.from({ length: 4 }, racer));
}

function open(client, chance, thread) {
  const metadata = { thread, weight: chance.next(), nested: { list: [1, 2, { deep: true }] } };
  return client.change('POST', '/v1/conversations', { external_id: thread, metadata }, { kind: 'conversation' });
}

function close(client, id) {
  return client.change('POST', `/v1/conversations/${id}/end`, {}, { kind: 'end', conversation: id });
}

async function talk({ client, chance, thread, isOver, breathe, number }) {
  const customer = { phone: `+4930${1_000_000 + chance.whole(0, 400)}` };
  let id = null;
  for (let left = chance.whole(1, 4); left > 0 && !isOver(); left--) {
    const content = line(chance, number);
    id = await say(client, thread, content, { customer, markdown: chance.happens(0.5) });
    await breathe();
  }
  return id;
}

async function say(client, thread, words, more) {
  const content = `${words} (${client.name} ${client.keys + 1})`;
  const body = { external_conversation_id: thread, content, ...more };
  const answer = await client.change('POST', '/v1/messages', body, { kind: 'message', content });
  return answer.status === 200 ? answer.body.conversation_id : null;
}

function line(chance, number) {
  const slot = slotAt(number * 37 + chance.whole(0, 36));
  if (chance.happens(0.15)) return `Please book a dental cleaning on ${slot.slice(0, 10)} at ${slot.slice(11, 16)}`;
  if (chance.happens(0.06)) return 'Please cancel my appointment';
  if (chance.happens(0.08)) return 'I want to talk to a human';
  if (chance.happens(0.05)) return 'Goodbye';
  return chance.pick(['Where can I park?', 'What does it cost?', 'Is the **blue** door open?', 'Thank you, I see']);
}
