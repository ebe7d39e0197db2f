// Fills a data directory, or the servers of the cluster engine, through the product's own append path: conversations of one project, with or without messages.
import { createHash, randomBytes } from 'node:crypto';
import { loadFrom, openCluster, openEngine } from '../places.mjs';

const { build, directory, servers, projectId, conversations, withMessages } = JSON.parse(process.argv[2]);
const IN_FLIGHT = servers ? 200 : 4_000;
const SPREAD_MS = 3_600_000;
const { UlidIds } = await loadFrom(build, 'ids');
const { events, engine, clock } = await (servers ? openCluster(build, servers) : openEngine(build, directory));
const ids = new UlidIds(clock);
const since = Date.now() - SPREAD_MS;
const run = randomBytes(4).toString('hex');
const QUESTION = 'Could you tell me about your prices, and whether Monday morning is possible? '.repeat(3);

const recorded = (event) => ({ id: ids.uuid(), event });

function opened(index, at) {
  const conversationId = ids.next('conversation', at);
  const creation = {
    conversationId,
    projectId,
    externalId: `${run}-${index}`,
    customer: null,
    metadata: '{"source":"bench"}',
    at,
  };
  const { customer: _, ...facts } = creation;
  return { creation, event: { type: 'ConversationOpened', ...facts, customerId: null } };
}

function turn(at) {
  const messageId = ids.next('message', at);
  const posted = { type: 'MessagePosted', at, messageId, content: QUESTION, plainText: false, windowEndsAt: at + 30_000 };
  const reply = { replyId: ids.next('message', at), inReplyTo: messageId, content: QUESTION, actions: [] };
  return [posted, { type: 'AgentReplied', at: at + 5, ...reply }];
}

async function converse(index) {
  const at = since + Math.floor((index * SPREAD_MS) / conversations);
  const { creation, event } = opened(index, at);
  const stream = `conversation-${creation.conversationId}`;
  if (!withMessages) return events.append(stream, [recorded(event)], 'none');
  const thread = createHash('sha256').update(creation.externalId).digest('hex');
  const claim = { type: 'Claimed', at, holder: creation.conversationId, creation };
  await events.append(`thread-${projectId}.${thread}`, [recorded(claim)], 'none');
  return events.append(stream, [event, ...turn(at)].map(recorded), 'none');
}

for (let index = 0; index < conversations; index += IN_FLIGHT) {
  const count = Math.min(IN_FLIGHT, conversations - index);
  await Promise.all(Array.from({ length: count }, (_, offset) => converse(index + offset)));
}
await engine.close();
process.stdout.write(JSON.stringify({ conversations }), () => process.exit(0));
