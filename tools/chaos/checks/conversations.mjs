import { forEach } from '../client.mjs';
import { acknowledged, groupBy, same } from '../truth.mjs';

/** Kinds of requests with which a customer says something. */
const SAID = ['message', 'kept'];
const REPLIED = ['id', 'content', 'actions', 'created_at'];
/** The reply window: once it is over, the next turn may begin before this reply is stored. */
const WINDOW_MS = 30_000;
const CONSTANT = ['id', 'object', 'external_id', 'customer_id', 'metadata', 'created_at'];

function told(asked) {
  const made = acknowledged(asked, 'conversation').map(({ told: conversation }) => conversation);
  const spokenIn = SAID.flatMap((kind) => acknowledged(asked, kind)).map(({ told: message }) => message.conversation);
  return [...made, ...spokenIn];
}

const alternates = (transcript) => transcript.every(({ role }, index) => role === (index % 2 === 0 ? 'user' : 'assistant'));

/** Whether every message has a reply, and none began while the previous one was still within its window. */
function isInTurn(transcript, askedAt) {
  let waiting = [];
  for (const { role, content, created_at: createdAt } of transcript) {
    if (role === 'assistant') {
      if (waiting.length === 0) return false;
      waiting = waiting.slice(1);
    } else if (waiting.every((before) => Date.parse(createdAt) - askedAt.get(before) >= WINDOW_MS)) waiting.push(content);
    else return false;
  }
  return waiting.length === 0;
}

export const conversations = {
  'every acknowledged conversation is there as it was acknowledged': async ({ asked, client }) => {
    const broken = [];
    const givenBack = new Set(acknowledged(asked, 'given-back').map(({ conversation }) => conversation));
    await forEach(
      groupBy(told(asked), ({ id }) => id),
      async ([id, versions]) => {
        const now = await client.read(`/v1/conversations/${id}`);
        const mayComeBack = givenBack.has(id) ? ['active', 'handed_off'] : ['active'];
        for (const version of versions) {
          const names = CONSTANT.filter((name) => !same(now[name], version[name]));
          const cameBack = !mayComeBack.includes(version.status) && now.status === 'active';
          if (names.length > 0 || cameBack) broken.push(`${id}: ${names} ${version.status} then ${now.status}`);
        }
      },
    );
    return broken;
  },

  'what was ended stays ended': ({ asked, conversations: all }) => {
    const byId = new Map(all.map((conversation) => [conversation.id, conversation]));
    return acknowledged(asked, 'end')
      .filter(({ conversation }) => byId.get(conversation)?.status !== 'ended')
      .map(({ key, conversation }) => `${key}: ${conversation} is ${byId.get(conversation)?.status}`);
  },

  'every acknowledged message and its reply are in the transcript': ({ asked, transcripts }) =>
    acknowledged(asked, 'message').flatMap(({ key, content, isMixed, told: message }) => {
      const transcript = transcripts.get(message.conversation_id) ?? [];
      const at = transcript.findIndex(({ id }) => id === message.id);
      const user = transcript[at];
      const inTurn = !isMixed && alternates(transcript);
      const reply = inTurn ? transcript[at + 1] : transcript.find(({ id }) => id === message.reply?.id);
      const isThere = user?.content === content && user.role === 'user' && user.created_at === message.created_at;
      const isAnswered = (isMixed && message.reply === null) || REPLIED.every((name) => same(reply?.[name], message.reply[name]));
      return isThere && isAnswered ? [] : [`${key}: ${message.id} in ${message.conversation_id}`];
    }),

  'transcripts are strictly user and assistant in turn unless their clients did not wait, each message in one once': ({
    asked,
    transcripts,
  }) => {
    const broken = [];
    const seen = new Set();
    const mixed = new Set(asked.filter(({ isMixed }) => isMixed).map(({ content }) => content));
    const askedAt = new Map(asked.filter(({ kind }) => kind === 'message').map(({ content, at }) => [content, at]));
    for (const [id, transcript] of transcripts) {
      const isMixed = transcript.some(({ content }) => mixed.has(content));
      if (!isMixed && !isInTurn(transcript, askedAt)) broken.push(`${id}: ${transcript.map(({ role }) => role)}`);
      for (const { role, content } of transcript.filter((message) => message.role === 'user')) {
        if (seen.has(content)) broken.push(`${id}: ${role} twice: ${content}`);
        seen.add(content);
      }
    }
    return broken;
  },

  'nothing is in a transcript that nobody said, and nothing that was refused': ({ asked, transcripts }) => {
    const said = new Map(asked.filter(({ kind }) => SAID.includes(kind)).map((each) => [each.content, each]));
    const isThere = (each) => each?.final?.status < 300 || (each?.isMixed && each.messageId);
    return [...transcripts.values()]
      .flat()
      .filter(({ role, content }) => role === 'user' && !isThere(said.get(content)))
      .map(({ id, content }) => `${id}: ${content}`);
  },

  'a thread has one live conversation at a time': ({ conversations: all }) =>
    [...groupBy(all, ({ external_id: thread }) => thread)].flatMap(([thread, group]) => {
      const inOrder = group.toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1));
      return inOrder
        .slice(0, -1)
        .filter(({ status, ended_at: endedAt }, index) => status !== 'ended' || endedAt > inOrder[index + 1].created_at)
        .map(({ id, status }) => `${thread}: ${id} is ${status} although another follows`);
    }),
};
