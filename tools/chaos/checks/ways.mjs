import { forEach } from '../client.mjs';
import { acknowledged, groupBy } from '../truth.mjs';

const OVER = ['completed', 'failed', 'not_expected'];

const mixedIn = ({ asked }) => asked.filter(({ isMixed, messageId }) => isMixed && messageId);
const saidIn = ({ transcripts }) => [...transcripts.values()].flat();
const repliesIn = (truth) => saidIn(truth).filter(({ author }) => author.type === 'agent');

/** What its client was told of the message's reply, in that order. */
function tellings({ answers, reads, kind }) {
  const inAnswers = answers
    .filter(({ status }) => status === 200 || status === 202)
    .map(({ at, text }) => ({ at, ...stated(text) }));
  const all = [...inAnswers, ...reads.filter(({ status }) => status !== 'created')].toSorted((a, b) => a.at - b.at);
  return all.map(({ status, reply }) => (status === 'completed' ? reply : `${status} ${kind}`));
}

function stated(text) {
  const { reply, reply_status: status } = JSON.parse(text);
  return { status: status ?? 'completed', reply: JSON.stringify(reply) };
}

const completedStreams = (truth) =>
  mixedIn(truth).flatMap(({ key, reads }) =>
    reads.filter(({ way, status }) => way === 'stream' && status === 'completed').map((read) => ({ ...read, key })),
  );
const contentOf = ({ reply }) => JSON.parse(reply).content;
/** Its events have these in their ids, the second one after a reset. */
const NO_RUNS = ['0', 'stored'];
const isTakenOver = ({ said, run }) => said === '' && NO_RUNS.includes(run);

const isOver = (telling) => !telling.startsWith('pending ') && !telling.startsWith('queued ');

export const ways = {
  'a message that was acknowledged in any way is in one transcript, once, as it was said': (truth) => {
    const found = groupBy(saidIn(truth), ({ id }) => id);
    return truth.asked.flatMap(({ key, content, messageId }) => {
      const [first, ...more] = found.get(messageId) ?? [];
      return !messageId || (first?.content === content && more.length === 0)
        ? []
        : [`${key}: ${messageId}, ${more.length + 1} times`];
    });
  },

  'a message has one reply at most, in its own transcript, and what is kept for a human has none': (truth) => {
    const kept = new Set(acknowledged(truth.asked, 'kept').map(({ told: { id } }) => id));
    const conversationOf = new Map(saidIn(truth).map(({ id, conversation_id: conversation }) => [id, conversation]));
    return [...groupBy(repliesIn(truth), ({ in_reply_to: id }) => id)]
      .filter(([id, [first, ...more]]) => more.length > 0 || kept.has(id) || conversationOf.get(id) !== first.conversation_id)
      .map(([id, group]) => `${id}: ${group.map((reply) => reply.id)}`);
  },

  'what is kept for a human is told as that': ({ asked }) =>
    asked
      .filter(({ kind, final }) => kind === 'kept' && final?.status === 200 && stated(final.text).status !== 'not_expected')
      .map(({ key, final }) => `${key}: ${final.text}`),

  'every way tells the same of a reply, and what is over stays as it is': async (truth) => {
    const broken = [];
    const replies = new Map(repliesIn(truth).map((reply) => [reply.in_reply_to, reply.id]));
    await forEach(mixedIn(truth), async (each) => {
      const { id, reply, ...now } = await truth.client.read(
        `/v1/conversations/${each.conversationId}/messages/${each.messageId}`,
      );
      const last = now.reply_status === 'completed' ? JSON.stringify(reply) : `${now.reply_status} ${each.kind}`;
      const told = [...tellings(each), last];
      const over = told.slice(told.findIndex(isOver));
      const isFine = OVER.includes(now.reply_status) && new Set(over).size === 1 && (reply?.id ?? undefined) === replies.get(id);
      if (!isFine) broken.push(`${each.key} ${id}: ${told.join(' then ')}, ${replies.get(id)} in the transcript`);
    });
    return broken;
  },

  'the deltas of a stream are its reply, or none where a process took the turn over': (truth) =>
    completedStreams(truth)
      .filter((read) => read.said !== contentOf(read) && !isTakenOver(read))
      .map(({ key, reply, said }) => `${key}: ${said} but ${reply}`),

  'of two messages of a conversation that which waited for the other is behind it': ({ asked, transcripts }) => {
    const byId = new Map(asked.filter(({ messageId }) => messageId).map((each) => [each.messageId, each]));
    return [...transcripts].flatMap(([id, transcript]) => {
      const told = transcript.flatMap((message) => byId.get(message.id) ?? []);
      return told.flatMap((earlier, index) => {
        const early = told.slice(index + 1).find(({ acknowledgedAt }) => acknowledgedAt < earlier.at);
        return early ? [`${id}: ${early.key} was acknowledged before ${earlier.key} was posted`] : [];
      });
    });
  },

  'what a human wrote is told as theirs': (truth) => {
    const byId = new Map(saidIn(truth).map((message) => [message.id, message]));
    return acknowledged(truth.asked, 'human')
      .filter(({ told: { id } }) => byId.get(id)?.author.type !== 'human' || byId.get(id).in_reply_to !== null)
      .map(({ key, told: { id } }) => `${key}: ${JSON.stringify(byId.get(id))}`);
  },

  'a conversation that was given back is with the agent until it ends': ({ asked, conversations }) => {
    const byId = new Map(conversations.map((conversation) => [conversation.id, conversation]));
    const ended = new Set(acknowledged(asked, 'end').map(({ conversation }) => conversation));
    return acknowledged(asked, 'given-back')
      .filter(
        ({ conversation: id }) => byId.get(id).status !== (ended.has(id) ? 'ended' : 'active') || byId.get(id).handoff !== null,
      )
      .map(({ key, conversation: id }) => `${key}: ${JSON.stringify(byId.get(id))}`);
  },
};

export const undisturbedWays = {
  'every stream tells its reply in deltas': (truth) =>
    completedStreams(truth)
      .filter(isTakenOver)
      .map(({ key, reply }) => `${key}: nothing but ${reply}`),
};
