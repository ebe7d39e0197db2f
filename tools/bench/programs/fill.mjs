// Fills a data directory through the product's own append path: conversations of one project, with or without messages.
import { createHash, randomBytes } from 'node:crypto';
import { loadFrom, openEngine } from './engine.mjs';

const IN_FLIGHT = 4_000;
const SPREAD_MS = 3_600_000;
const QUESTION = 'Could you tell me about your prices, and whether Monday morning is possible? '.repeat(3);
const since = Date.now() - SPREAD_MS;
const run = randomBytes(4).toString('hex');

function conversation(ids, { projectId, conversations, withMessages }, index) {
  const at = since + Math.floor((index * SPREAD_MS) / conversations);
  const conversationId = ids.next('conversation', at);
  const facts = { conversationId, projectId, externalId: `${run}-${index}`, metadata: '{"source":"bench"}', at };
  const opened = { type: 'ConversationOpened', ...facts, customerId: null };
  const stream = `conversation-${conversationId}`;
  if (!withMessages) return [[stream, [opened]]];
  const thread = createHash('sha256').update(facts.externalId).digest('hex');
  const claim = { type: 'Claimed', at, holder: conversationId, creation: { ...facts, customer: null } };
  const messageId = ids.next('message', at);
  const posted = { type: 'MessagePosted', at, messageId, content: QUESTION, plainText: false, windowEndsAt: at + 30_000 };
  const reply = { replyId: ids.next('message', at), inReplyTo: messageId, content: QUESTION, actions: [] };
  const turn = [posted, { type: 'AgentReplied', at: at + 5, ...reply }];
  return [
    [`thread-${projectId}.${thread}`, [claim]],
    [stream, [opened, ...turn]],
  ];
}

export async function measure({ build, directory, ...shape }) {
  const { UlidIds } = await loadFrom(build, 'ids.ulid.js');
  const { events, engine, clock } = await openEngine(build, directory);
  const ids = new UlidIds(clock);
  const converse = async (index) => {
    for (const [stream, told] of conversation(ids, shape, index)) {
      const recorded = told.map((event) => ({ id: ids.uuid(), event }));
      await events.append(stream, recorded, 'none');
    }
  };
  for (let first = 0; first < shape.conversations; first += IN_FLIGHT) {
    const length = Math.min(IN_FLIGHT, shape.conversations - first);
    await Promise.all(Array.from({ length }, (_, offset) => converse(first + offset)));
  }
  await engine.close();
  return {};
}
