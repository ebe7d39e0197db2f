import { DateTime } from 'luxon';
import { Agent, AgentFailed, type AgentReply, type AgentTurn, type TranscriptLine } from '@ports/agent.port';
import { isRetryableStoreError } from '@ports/event-store.port';
import { nameOf } from '@ports/failure';
import { unlessGivenUp } from '@ports/unless-given-up';
import { answer } from './answer.js';
import { questionOf } from './carry-out.js';
import { LedgerClient, upcoming } from './ledger-client.js';
import { noteOf, textOf } from './note.js';
import { personIn } from './person.js';
import { type Reading, readingOf } from './reading.js';
import * as replies from './replies.js';

const SUMMARY = 500;
const FAREWELL: AgentReply = { content: replies.GOODBYE, actions: [{ type: 'end_conversation', reason: 'resolved' }] };
const ABOUT_ME = `I'm an automated assistant. ${replies.WHAT_I_DO}`;

/** A small deterministic agent that works offline. Changes appointments only after a message it has fully understood. */
export class ScriptedAgent extends Agent {
  readonly name = 'scripted';

  async reply(asked: AgentTurn, signal: AbortSignal): Promise<AgentReply> {
    try {
      return await unlessGivenUp((own) => this.answer(asked, own), signal);
    } catch (error) {
      if (error instanceof AgentFailed || isRetryableStoreError(error)) throw error;
      throw new AgentFailed('internal', `The scripted agent could not read what it needed: ${nameOf(error)}.`);
    }
  }

  private async answer(turn: AgentTurn, signal: () => AbortSignal): Promise<AgentReply> {
    const { content, now } = turn;
    const lines = await turn.transcript();
    const zone = replies.zoneOf(turn.timeZone);
    const today = DateTime.fromMillis(lines.at(-1)?.at ?? now, { zone }).startOf('day');
    const reading = readingOf(content, today);
    const contact = reading.has('contact') ? `${replies.CONTACT} ` : '';
    const person = personIn(reading);
    if (person === 'asked' && reading.verbs.length === 0) return handOff(lines, contact);
    const note = noteOf(lastNote(turn, lines));
    const whose = contact === '' ? whoseIn(turn, lines) : '';
    const scene = { reading, ledger: new LedgerClient(turn.toolbox, signal), zone, today, now, note, whose };
    const welcome = lines.length > 1 ? '' : await welcomeTo(turn);
    const replied = (text: string, next = note): AgentReply => ({
      content: welcome + contact + text,
      actions: [],
      note: textOf(next),
    });
    const said = await answer(scene);
    if (said?.handsOver) return handOff(lines, contact);
    if (said) return replied(said.content, said.note);
    if (takesLeave(reading)) return note.offer ? replied(`Before you go: ${questionOf(note.offer, scene)}`) : FAREWELL;
    const offer = note.offer ?? { verb: 'person' };
    if (person !== null) return replied(`${ABOUT_ME} ${questionOf(offer, scene)}`, { ...note, offer });
    return replied(isGreeting(reading) ? await greeting(turn, welcome, lines.length <= 1) : smallTalk(reading));
  }
}

/** A yes after a human had the conversation answers the human, not an offer made before. */
function lastNote({ handedBack }: AgentTurn, lines: readonly TranscriptLine[]): string | undefined {
  const since = lines.slice(lines.findLastIndex(({ human }) => human !== undefined) + 1);
  return since.findLast(({ note, at }) => note !== undefined && at >= (handedBack?.resumedAt ?? at))?.note;
}

function handOff(lines: readonly TranscriptLine[], contact: string): AgentReply {
  const said = lines.filter(({ role }) => role === 'user').slice(-4);
  const quotes = said.map(({ content }) => replies.quoted(readingOf(content, DateTime.utc()).has('contact') ? '…' : content));
  const summary = replies.cut(`Asked for a person. Last messages: ${quotes.join(' ')}`, SUMMARY);
  return { content: contact + replies.HANDING_OVER, actions: [{ type: 'handoff', reason: 'customer_requested', summary }] };
}

function isGreeting(reading: Reading): boolean {
  return reading.has('greeting') && reading.hasOnly('greeting', 'thanks');
}

/** The question for an unknown customer; empty once asked, or once contact details were acknowledged. */
function whoseIn({ customer }: AgentTurn, lines: readonly TranscriptLine[]): string {
  const spares = (text: string) => text.includes(replies.WHOSE) || text.includes(replies.CONTACT);
  const isSpared = lines.some(({ role, content, human }) => role === 'assistant' && human === undefined && spares(content));
  return customer !== null || isSpared ? '' : replies.WHOSE;
}

function smallTalk(reading: Reading): string {
  if (reading.has('thanks') && reading.hasOnly('thanks', 'yes')) return `You're welcome! ${replies.ANYTHING_ELSE}`;
  if (reading.has('no') && reading.hasOnly('no', 'thanks', 'yes')) return `All right. ${replies.ANYTHING_ELSE}`;
  if (reading.has('help')) return `${replies.WHAT_I_DO} What shall it be?`;
  if (reading.has('contact')) return replies.WHAT_I_DO;
  const quote = replies.quoted(reading.content, 200);
  return `${reading.isQuestion ? `You asked: ${quote} I don't know that one.` : `I've read your message: ${quote}`} ${replies.WHAT_I_DO}`;
}

async function greeting({ customer, memory, now, timeZone }: AgentTurn, welcome: string, isFirst: boolean): Promise<string> {
  if (!isFirst) return 'What can I do for you?';
  if (welcome === '') return `Hello${byName(customer?.name)}! ${replies.WHAT_I_DO} What can I do for you?`;
  const [next] = upcoming((await memory()).appointments, now);
  return `${next ? `Your next appointment: ${replies.described(next, timeZone)}. ` : ''}What can I do for you?`;
}

async function welcomeTo({ customer, memory }: AgentTurn): Promise<string> {
  if (customer === null) return '';
  const { appointments, conversations } = await memory();
  const isKnown = appointments.length + conversations.length > 0;
  return isKnown ? `Welcome back${byName(customer.name)}! Good to see you again.\n\n` : '';
}

/** A yes or no with a goodbye answers "Is there anything else?", and accepts no offer. */
function takesLeave(reading: Reading): boolean {
  return reading.has('closing') && !reading.isQuestion && reading.hasOnly('closing', 'thanks', 'yes', 'no');
}

function byName(name: string | null | undefined): string {
  const known = replies.literal(name ?? '');
  return known === '' ? '' : `, ${known}`;
}
