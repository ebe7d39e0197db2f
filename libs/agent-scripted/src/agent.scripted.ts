import { Agent, AgentFailed, type AgentReply, type AgentTurn } from '@ports/agent.port';
import { nameOf } from '@ports/failure';
import { unlessGivenUp } from '@ports/unless-given-up';
import { type Said, type Scene, questionOf } from './carry-out.js';
import { Dialogue } from './dialogue.js';
import { LedgerClient, upcoming } from './ledger-client.js';
import { type Note, noteOf, textOf } from './note.js';
import { personIn } from './person.js';
import { Reading } from './reading.js';
import * as replies from './replies.js';

const SUMMARY = 500;

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
    const reading = new Reading(turn.content);
    const person = personIn(reading);
    if (person === 'asked' && reading.verbs.length === 0) return handOff(turn);
    const welcome = await welcomeTo(turn);
    if (isPlainQuestion(reading)) return replied(welcome, { content: smallTalk(reading) });
    const lines = await turn.transcript();
    const note = noteOf(lines.findLast((line) => line.note !== undefined)?.note);
    const { now, timeZone, toolbox } = turn;
    const scene = {
      ledger: new LedgerClient(toolbox, signal),
      zone: replies.zoneOf(timeZone),
      saidAt: lines.at(-1)?.at ?? now,
      now,
    };
    const said = await new Dialogue(reading, note, scene).answer();
    if (said?.handsOver) return handOff(turn);
    if (said) return replied(reading.has('contact') ? `${welcome}${replies.CONTACT} ` : welcome, { note, ...said });
    return withoutOrder(turn, reading, note, scene, { welcome, isFirst: lines.length <= 1, isPersonMentioned: person !== null });
  }
}

const FAREWELL: AgentReply = { content: replies.GOODBYE, actions: [{ type: 'end_conversation', reason: 'resolved' }] };
const ABOUT_ME = `I'm an automated assistant. ${replies.WHAT_I_DO}`;

interface Beginning {
  readonly welcome: string;
  readonly isFirst: boolean;
  readonly isPersonMentioned: boolean;
}

/** The reply to what is about no appointment. What is open stays open. */
async function withoutOrder(
  turn: AgentTurn,
  reading: Reading,
  note: Note,
  scene: Scene,
  beginning: Beginning,
): Promise<AgentReply> {
  const { welcome, isFirst, isPersonMentioned } = beginning;
  const { offer } = note;
  const told = (content: string, next = note) => replied(welcome, { content, note: next });
  if (takesLeave(reading)) return offer ? told(`Before you go: ${questionOf(offer, scene)}`) : FAREWELL;
  if (isPersonMentioned && offer) return told(ABOUT_ME);
  if (isPersonMentioned) return told(`${ABOUT_ME} ${replies.OFFER_PERSON}`, { ...note, offer: { verb: 'person' } });
  const isGreeting = reading.has('greeting') && reading.hasOnly('greeting', 'thanks');
  return told(isGreeting ? await greeting(turn, welcome, isFirst) : smallTalk(reading));
}

function replied(welcome: string, { content, note }: Said): AgentReply {
  return { content: welcome + content, actions: [], ...(note && { note: textOf(note) }) };
}

async function handOff(turn: AgentTurn): Promise<AgentReply> {
  const lines = await turn.transcript().catch(() => []);
  const said = lines
    .slice(0, -1)
    .filter(({ role }) => role === 'user')
    .map(({ content }) => content);
  const quotes = [...said.slice(-3), turn.content].map((content) => replies.quoted(new Reading(content).withoutContacts));
  const summary = replies.cut(`Asked for a person. Last messages: ${quotes.join(' ')}`, SUMMARY);
  return { content: replies.HANDING_OVER, actions: [{ type: 'handoff', reason: 'customer_requested', summary }] };
}

function smallTalk(reading: Reading): string {
  if (reading.has('thanks') && reading.hasOnly('thanks', 'yes')) return `You're welcome! ${replies.ANYTHING_ELSE}`;
  if (reading.has('no') && reading.hasOnly('no', 'thanks', 'yes')) return `All right. ${replies.ANYTHING_ELSE}`;
  if (reading.has('help')) return `${replies.WHAT_I_DO} What shall it be?`;
  if (reading.has('contact')) return `${replies.CONTACT} ${replies.WHAT_I_DO}`;
  const quote = replies.quoted(reading.content, 200);
  if (quote === '“”') return `I have your message. ${replies.WHAT_I_DO}`;
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
  return appointments.length + conversations.length === 0
    ? ''
    : `Welcome back${byName(customer.name)}! Good to see you again.\n\n`;
}

const BESIDE_A_QUESTION = ['unread', 'filler', 'greeting', 'contact', 'thanks', 'to', 'from', 'show'];

/** A question of words of no table is no answer to anything, and asks for no appointment: nothing needs to be read for it. */
function isPlainQuestion(reading: Reading): boolean {
  if (!reading.isQuestion || !reading.has('unread') || / (?:come|booked)$/.test(reading.of('show')[0]?.words ?? '')) return false;
  return reading.items.every(({ slot }) => BESIDE_A_QUESTION.includes(slot));
}

function takesLeave(reading: Reading): boolean {
  return reading.has('closing') && !reading.isQuestion && reading.hasOnly('closing', 'thanks', 'yes', 'no', 'greeting', 'it');
}

function byName(name: string | null | undefined): string {
  const known = replies.literal(name ?? '');
  return known === '' ? '' : `, ${known}`;
}
