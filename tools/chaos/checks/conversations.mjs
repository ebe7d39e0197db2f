import { forEach } from '../client.mjs';
import { acknowledged, groupBy, same } from '../truth.mjs';

const REPLIED = ['id', 'content', 'actions', 'created_at'];
const CONSTANT = ['id', 'object', 'external_id', 'customer_id', 'metadata', 'created_at'];

/** Every acknowledged representation of a conversation. */
function told(asked) {
  const made = acknowledged(asked, 'conversation').map(({ told: conversation }) => conversation);
  const spokenIn = acknowledged(asked, 'message').map(({ told: message }) => message.conversation);
  return [...made, ...spokenIn];
}

export const conversations = {
  'every acknowledged conversation is there as it was acknowledged': async ({ asked, client }) => {
    const broken = [];
    await forEach(
      groupBy(told(asked), ({ id }) => id),
      async ([id, versions]) => {
        const now = await client.read(`/v1/conversations/${id}`);
        for (const version of versions) {
          const names = CONSTANT.filter((name) => !same(now[name], version[name]));
          const cameBack = version.status !== 'active' && now.status === 'active';
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
    acknowledged(asked, 'message').flatMap(({ key, content, told: message }) => {
      const transcript = transcripts.get(message.conversation_id) ?? [];
      const at = transcript.findIndex(({ id }) => id === message.id);
      const [user, reply] = [transcript[at], transcript[at + 1]];
      const isThere = user?.content === content && user.role === 'user' && user.created_at === message.created_at;
      const isAnswered = REPLIED.every((name) => same(reply?.[name], message.reply[name]));
      return isThere && isAnswered ? [] : [`${key}: ${message.id} in ${message.conversation_id}`];
    }),

  'transcripts are strictly user and assistant in turn, each message in one once': ({ transcripts }) => {
    const broken = [];
    const seen = new Set();
    for (const [id, transcript] of transcripts) {
      const inTurn = transcript.every(({ role }, index) => role === (index % 2 === 0 ? 'user' : 'assistant'));
      if (!inTurn || transcript.length % 2 !== 0) broken.push(`${id}: ${transcript.map(({ role }) => role)}`);
      for (const { role, content } of transcript.filter((message) => message.role === 'user')) {
        if (seen.has(content)) broken.push(`${id}: ${role} twice: ${content}`);
        seen.add(content);
      }
    }
    return broken;
  },

  'nothing is in a transcript that nobody said, and nothing that was refused': ({ asked, transcripts }) => {
    const said = new Map(asked.filter(({ kind }) => kind === 'message').map((each) => [each.content, each]));
    return [...transcripts.values()]
      .flat()
      .filter(({ role, content }) => role === 'user' && !(said.get(content)?.final?.status < 300))
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
