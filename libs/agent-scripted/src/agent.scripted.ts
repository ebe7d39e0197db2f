import { DateTime } from 'luxon';
import { Agent, AgentFailed, type AgentReply, type AgentTurn } from '@ports/agent.port';
import { nameOf } from '@ports/failure';
import { unlessGivenUp } from '@ports/unless-given-up';
import { type Said, type Scene, questionOf } from './carry-out.js';
import { Dialogue } from './dialogue.js';
import { LedgerClient, upcoming } from './ledger-client.js';
import { noteOf, textOf } from './note.js';
import { personIn } from './person.js';
import { type Reading, readingOf } from './reading.js';
import * as replies from './replies.js';

const SUMMARY = 500;
const FAREWELL: AgentReply = { content: replies.GOODBYE, actions: [{ type: 'end_conversation', reason: 'resolved' }] };
const BESIDE_A_QUESTION = ['unread', 'filler', 'greeting', 'contact', 'thanks', 'to', 'from', 'show'] as const;

/** A small deterministic agent that works offline. It changes appointments only after a message that it has read whole. */
export class ScriptedAgent extends Agent {
  readonly name = 'scripted';

  async reply(asked: AgentTurn, signal: AbortSignal): Promise<AgentReply> {
    try {
      return await unlessGivenUp((own) => this.answer(asked, own), signal);
    } catch (error) {
      if (error instanceof AgentFailed) throw error;
      throw new AgentFailed('internal', `The scripted agent could not read what it needed: ${nameOf(error)}.`);
    }
  }

  private async answer(turn: AgentTurn, signal: () => AbortSignal): Promise<AgentReply> {
    const { content, now } = turn;
    const zone = replies.zoneOf(turn.timeZone);
    const dayOf = (at: number) => DateTime.fromMillis(at, { zone }).startOf('day');
    const first = readingOf(content, dayOf(now));
    const person = personIn(first);
    if (person === 'asked' && first.verbs.length === 0) return handOff(turn);
    const welcome = await welcomeTo(turn);
    const replied = (said: Said): AgentReply => ({
      content: welcome + said.content,
      actions: [],
      ...(said.note && { note: textOf(said.note) }),
    });
    // A question of words of no table is no answer to anything, and asks for no appointment: nothing needs to be read for it.
    if (first.isQuestion && first.has('unread') && first.hasOnly(...BESIDE_A_QUESTION))
      return replied({ content: smallTalk(first) });
    const lines = await turn.transcript();
    const today = dayOf(lines.at(-1)?.at ?? now);
    const reading = today.equals(dayOf(now)) ? first : readingOf(content, today);
    const note = noteOf(lines.findLast((line) => line.note !== undefined)?.note);
    const scene = { ledger: new LedgerClient(turn.toolbox, signal), zone, today, now, note };
    const said = await new Dialogue(reading, scene).answer();
    if (said?.handsOver) return handOff(turn);
    if (said) return replied({ note, ...said, content: `${reading.has('contact') ? `${replies.CONTACT} ` : ''}${said.content}` });
    if (takesLeave(reading) && !note.offer) return FAREWELL;
    if (reading.has('greeting') && reading.hasOnly('greeting', 'thanks') && person === null)
      return replied({ content: await greeting(turn, welcome, lines.length <= 1), note });
    return replied({ note, ...withoutOrder(reading, scene, person !== null) });
  }
}

/** The reply to what is about no appointment. What is open stays open. */
function withoutOrder(reading: Reading, scene: Scene, isPersonMentioned: boolean): Said {
  const { note } = scene;
  if (takesLeave(reading) && note.offer) return { content: `Before you go: ${questionOf(note.offer, scene)}` };
  if (!isPersonMentioned) return { content: smallTalk(reading) };
  const aboutMe = `I'm an automated assistant. ${replies.WHAT_I_DO}`;
  if (note.offer) return { content: aboutMe };
  return { content: `${aboutMe} ${replies.OFFER_PERSON}`, note: { ...note, offer: { verb: 'person' } } };
}

async function handOff(turn: AgentTurn): Promise<AgentReply> {
  const lines = await turn.transcript().catch(() => []);
  const said = lines.slice(0, -1).flatMap(({ role, content }) => (role === 'user' ? [content] : []));
  const quotes = [...said.slice(-3), turn.content].map((content) =>
    replies.quoted(readingOf(content, DateTime.utc()).has('contact') ? '…' : content),
  );
  const summary = replies.cut(`Asked for a person. Last messages: ${quotes.join(' ')}`, SUMMARY);
  return { content: replies.HANDING_OVER, actions: [{ type: 'handoff', reason: 'customer_requested', summary }] };
}

function smallTalk(reading: Reading): string {
  if (reading.has('thanks') && reading.hasOnly('thanks', 'yes')) return `You're welcome! ${replies.ANYTHING_ELSE}`;
  if (reading.has('no') && reading.hasOnly('no', 'thanks', 'yes')) return `All right. ${replies.ANYTHING_ELSE}`;
  if (reading.has('help')) return `${replies.WHAT_I_DO} What shall it be?`;
  if (reading.has('contact')) return `${replies.CONTACT} ${replies.WHAT_I_DO}`;
  const quote = replies.quoted(reading.content, 200);
  return `${reading.isQuestion ? `You asked: ${quote} I don't know that one.` : `I've read your message: ${quote}`} ${replies.WHAT_I_DO}`;
}

async function greeting({ customer, memory, now, timeZone }: AgentTurn, welcome: string, isFirst: boolean): Promise<string> {
  if (!isFirst) return 'What can I do for you?';
  if (welcome === '') return `Hello${byName(customer?.name)}! ${replies.WHAT_I_DO} What can I do for you?`;
  const [next] = upcoming((await memory()).appointments, now);
  return `${next ? `Your next appointment: ${replies.described(next, timeZone)}. ` : ''}What can I do for you?`;
}

/** Greets a returning customer in the first reply of a conversation; nothing otherwise. */
async function welcomeTo(turn: AgentTurn): Promise<string> {
  const { customer } = turn;
  if (customer === null || (await turn.transcript()).length > 1) return '';
  const { appointments, conversations } = await turn.memory();
  const isKnown = appointments.length + conversations.length > 0;
  return isKnown ? `Welcome back${byName(customer.name)}! Good to see you again.\n\n` : '';
}

function takesLeave(reading: Reading): boolean {
  return reading.has('closing') && !reading.isQuestion && reading.hasOnly('closing', 'thanks', 'yes', 'no', 'greeting', 'it');
}

function byName(name: string | null | undefined): string {
  const known = replies.literal(name ?? '');
  return known === '' ? '' : `, ${known}`;
}
