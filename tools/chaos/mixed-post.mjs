import { setTimeout as pause } from 'node:timers/promises';
import { GIVE_UP_AFTER_MS, isFinal } from './client.mjs';

const MAX_EVENTS_BEFORE_LEAVING = 3;
const MAX_WAIT_SECONDS = 2;
const BETWEEN_STEPS_MS = 40;
const VANISHES_WITHIN_MS = 30;
/** A message that was queued when the conversation was closed fails with these. */
const CLOSURES = ['conversation_handed_off', 'conversation_ended'];

/** One message under one key whose client waits for its reply in one way after the other, and loses connections. */
export class MixedPost {
  attempt = 0;
  /** The answer that the key keeps. */
  final = null;
  /** Where the message is, once that is known. */
  message = null;
  lastId = '';
  /** The deltas since the last reset. */
  said = '';

  /** @param note is logged for the checks */
  constructor(client, chance, path, body, note) {
    this.client = client;
    this.chance = chance;
    this.key = client.newKey();
    this.asked = { method: 'POST', path, body, key: this.key };
    this.log({ is: 'asked', method: 'POST', path, body, content: body.content, isMixed: true, ...note });
  }

  /** Until the message is acknowledged or refused. */
  acknowledged() {
    return this.until(() => this.message ?? this.final);
  }

  /** Until its key has an answer, which is then compared with what another way tells. */
  async settled() {
    await this.until(() => this.final);
    if (this.message && this.chance.happens(0.5)) await this.step();
    return this.final;
  }

  async until(isSo) {
    const begun = Date.now();
    while (!isSo()) {
      if (Date.now() - begun > GIVE_UP_AFTER_MS) throw new Error(`no answer to ${this.key} in any way`);
      await this.step();
      await pause(this.chance.between(0, BETWEEN_STEPS_MS));
    }
  }

  step() {
    const ways = ['synchronously', 'later', 'forAWhile', 'vanishing', 'asStream', ...(this.message ? ['byId', 'onwards'] : [])];
    this.attempt += 1;
    return this[this.chance.pick(ways)]();
  }

  synchronously() {
    return this.post({});
  }

  later() {
    return this.post({ prefer: 'respond-async' });
  }

  forAWhile() {
    return this.post({ prefer: `wait=${this.chance.whole(0, MAX_WAIT_SECONDS)}` });
  }

  /** Breaks the connection off before there is an answer, most of the time. */
  async vanishing() {
    const signal = AbortSignal.timeout(this.chance.whole(1, VANISHES_WITHIN_MS));
    const answer = await this.client.send({ ...this.asked, signal }).catch(() => null);
    if (!answer) return;
    const { status, text, replayed } = answer;
    this.log({ is: 'answered', attempt: this.attempt, status, replayed, text });
    this.answered(answer);
  }

  async post(headers) {
    const answer = await this.client.attempt(this.key, this.attempt, { ...this.asked, headers });
    if (answer) this.answered(answer);
  }

  answered(answer) {
    const { status, body } = answer;
    if (status < 300) this.message ??= { id: body.id, conversation: body.conversation_id };
    if (isFinal(answer)) this.final ??= answer;
  }

  async byId() {
    const path = `${this.path}?wait=${this.chance.whole(0, MAX_WAIT_SECONDS)}`;
    const answer = await this.client.send({ method: 'GET', path }).catch(() => null);
    if (answer?.status === 200) {
      const { reply_status: status, reply } = answer.body;
      this.read({ way: 'by id', status, reply: JSON.stringify(reply) });
    } else this.broke(answer);
  }

  /** Posts for a stream, from its beginning. */
  asStream() {
    Object.assign(this, { lastId: '', said: '' });
    return this.stream(this.asked);
  }

  /** Goes on with a stream that broke off, or with one that never was. */
  onwards() {
    const headers = this.lastId === '' ? {} : { 'last-event-id': this.lastId };
    if (this.lastId === '') this.said = '';
    return this.stream({ method: 'GET', path: `${this.path}/stream`, headers });
  }

  async stream(asked) {
    const leaveAfter = this.chance.happens(0.5) ? this.chance.whole(0, MAX_EVENTS_BEFORE_LEAVING) : Infinity;
    const read = await this.client.stream(asked, leaveAfter).catch(() => null);
    if (read?.status === 200) return this.streamed(read);
    if (!read || asked.method === 'GET') return this.broke(read);
    this.log({ is: 'answered', attempt: this.attempt, status: read.status, replayed: false, text: read.text });
    this.answered({ status: read.status, text: read.text, body: JSON.parse(read.text) });
  }

  streamed({ events, lastId, ended }) {
    for (const { event, data } of events) {
      if (event === 'message.created') this.created(data);
      else if (event === 'reply.reset') this.said = '';
      else if (event === 'reply.delta') this.said += data.delta;
    }
    this.lastId = lastId || this.lastId;
    if (ended === 'broken') this.broke(null);
    if (ended !== 'done') return;
    const reply = events.find(({ event }) => event === 'reply.completed')?.data ?? null;
    const error = events.find(({ event }) => event === 'error')?.data.error;
    if (error && !CLOSURES.includes(error.code)) return this.broke({ text: JSON.stringify(error) });
    const status = reply ? 'completed' : error ? 'failed' : 'not_expected';
    const [, run] = this.lastId.split('.');
    this.read({ way: 'stream', status, reply: JSON.stringify(reply), said: this.said, run });
  }

  created({ id, conversation_id: conversation }) {
    this.message ??= { id, conversation };
    this.read({ way: 'stream', status: 'created' });
  }

  read(found) {
    const { id, conversation: conversation_id } = this.message;
    this.log({ is: 'read', id, conversation_id, ...found });
  }

  broke(answer) {
    this.log({ is: 'cut', attempt: this.attempt, error: answer?.text ?? 'broken' });
  }

  get path() {
    return `/v1/conversations/${this.message.conversation}/messages/${this.message.id}`;
  }

  log(entry) {
    this.client.journal.write({ key: this.key, ...entry });
  }
}
