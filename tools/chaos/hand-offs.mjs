import { MixedPost } from './mixed-post.mjs';

const SAID = ['Where can I park?', 'What does it cost?', 'Is the **blue** door open?', 'Thank you, I see'];

/** For the checks, by route. */
const KINDS = { handoff: 'handed-over', resume: 'given-back', end: 'end' };

/** A talk whose client posts the next message as soon as the one before is acknowledged, whatever becomes of their replies. */
export async function inManyWays({ client, chance, number, isOver, breathe }) {
  const talk = new Talk(client, chance, `${client.name}-mixed-${number}`);
  for (let left = chance.whole(1, 4); left > 0 && !isOver(); left--) {
    await talk.say('message');
    if (chance.happens(0.3)) await breathe();
  }
  await talk.settled();
  if (talk.id && chance.happens(0.5)) await talk.act('end', {});
}

/** The client hands a conversation over; what the customer says meanwhile is kept, a human replies, and the agent gets it back. */
export async function handOver({ client, chance, number, isOver, breathe }) {
  const talk = new Talk(client, chance, `${client.name}-handed-over-${number}`);
  for (let left = chance.whole(1, 3); left > 0; left--) await talk.say('message', chance.happens(0.5));
  if (!talk.id) return talk.settled();
  await talk.act('handoff', { reason: 'tested', summary: `of ${client.name}` });
  for (let left = chance.whole(1, 3); left > 0 && !isOver(); left--) {
    await talk.say('kept', true);
    if (chance.happens(0.7)) await talk.replyAsHuman();
    await breathe();
  }
  if (chance.happens(0.8)) {
    await talk.act('resume', chance.happens(0.5) ? { note: 'It is settled.' } : {});
    await talk.say('message');
  }
  await talk.settled();
  if (chance.happens(0.3)) await talk.act('end', {});
}

/** A conversation with one client. */
class Talk {
  posts = [];
  id = null;

  constructor(client, chance, thread) {
    Object.assign(this, { client, chance, thread });
  }

  /** Resolves once the message is acknowledged. */
  async say(kind, isStored = false) {
    const content = `${this.chance.pick(SAID)} (${this.client.name} ${this.client.keys + 1})`;
    const byId = this.id !== null && this.chance.happens(0.5);
    const path = byId ? `/v1/conversations/${this.id}/messages` : '/v1/messages';
    const where = byId ? {} : { external_conversation_id: this.thread };
    const body = { ...where, content, ...(isStored && { when_handed_off: 'store' }) };
    const post = new MixedPost(this.client, this.chance, path, body, { kind });
    this.posts.push(post);
    await post.acknowledged();
    this.id ??= post.message?.conversation ?? null;
  }

  async settled() {
    await Promise.all(this.posts.map((post) => post.settled()));
  }

  replyAsHuman() {
    const content = `Kim here (${this.client.name} ${this.client.keys + 1})`;
    const body = { content, role: 'assistant', author: { type: 'human', name: 'Kim' } };
    return this.client.change('POST', `/v1/conversations/${this.id}/messages`, body, { kind: 'human', content });
  }

  act(how, body) {
    const path = `/v1/conversations/${this.id}/${how}`;
    return this.client.change('POST', path, body, { kind: KINDS[how], conversation: this.id });
  }
}
