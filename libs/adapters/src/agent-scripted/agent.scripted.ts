import { Agent, AgentFailed, type AgentReply, type AgentTurn, type CustomerMemory, type TranscriptLine } from '@ports/agent.port';
import { nameOf } from '@ports/failure';
import { unlessGivenUp } from '@ports/unless-given-up';
import type { PlainText } from '@ports/plain-text.port';
import { mayAnswer, saysPlainYes } from './answers.js';
import { cut, excerptOf } from './excerpt.js';
import { type AppointmentIntent, appointmentIntent, readable } from './intent.js';
import { asksWhoAnswers, wantsPerson } from './person-request.js';
import { asksForHelp, besidesLeave, greets, namesPartOnly, takesLeave, thanksOnly } from './small-talk.js';
import * as words from './wording.js';

const SUMMARY = 500;
const STRANGERS_GREETING = `Hello! ${words.WHAT_I_DO} What can I do for you?`;

/** One turn being answered: what it needs is read once, and only when it is needed. */
class Turn {
  private lines: Promise<readonly TranscriptLine[]> | undefined;
  private past: Promise<CustomerMemory> | undefined;
  readonly text: string;

  constructor(
    readonly asked: AgentTurn,
    readonly signal: () => AbortSignal,
  ) {
    this.text = readable(asked.content);
  }

  transcript(): Promise<readonly TranscriptLine[]> {
    return (this.lines ??= this.asked.transcript());
  }

  memory(): Promise<CustomerMemory> {
    return (this.past ??= this.asked.memory());
  }
}

/** A small deterministic agent that works offline. It keeps nothing between turns: the transcript says what is open. */
export class ScriptedAgent extends Agent {
  readonly name = 'scripted';

  constructor(private readonly plainText: PlainText) {
    super();
  }

  async reply(asked: AgentTurn, signal: AbortSignal): Promise<AgentReply> {
    try {
      return await unlessGivenUp((own) => this.answer(new Turn(asked, own)), signal);
    } catch (error) {
      if (error instanceof AgentFailed) throw error;
      throw new AgentFailed('internal', `The scripted agent could not read what it needed: ${nameOf(error)}.`);
    }
  }

  private async answer(turn: Turn): Promise<AgentReply> {
    const { text } = turn;
    if (wantsPerson(text)) return this.handOff(turn);
    const said = hear(text);
    const outright = answeredOutright(said);
    if (outright) return outright;
    const { intent, leaves, rest } = said;
    if (greets(text) === 'only' && !(await this.answersWithPart(turn)))
      return { content: await this.greeting(turn), actions: [] };
    // What is booked in this very turn makes nobody a returning customer.
    const welcome = await this.welcome(turn);
    const about =
      intent !== null || mayAnswer(rest) ? await this.aboutAppointments(turn, intent === null ? rest : text, intent) : null;
    if (about?.kind === 'wants person') return this.handOff(turn);
    if (leaves && about === null) return farewell(words.GOODBYE);
    const content = about?.content ?? smallTalk(text, await excerptOf(turn.asked.content, this.plainText));
    if (leaves && content.endsWith(words.ANYTHING_ELSE)) return farewell(content.replace(words.ANYTHING_ELSE, words.GOODBYE));
    return { content: welcome + content, actions: [] };
  }

  /** "At what time?" "Morning": no greeting. */
  private async answersWithPart(turn: Turn): Promise<boolean> {
    if (!namesPartOnly(turn.text)) return false;
    const asked = (await turn.transcript()).at(-2)?.content.trimEnd() ?? '';
    return asked.endsWith(words.ASK_TIME) || asked.endsWith(words.ASK_WHEN);
  }

  private async aboutAppointments(turn: Turn, text: string, intent: AppointmentIntent | null) {
    const [{ Dialogue }, { Ledger }] = await Promise.all([import('./dialogue.js'), import('./ledger.js')]);
    const ledger = new Ledger(turn.asked.toolbox, turn.signal());
    return new Dialogue(turn.asked, await turn.transcript(), ledger).answer(text, intent);
  }

  private async handOff(turn: Turn): Promise<AgentReply> {
    const summary = await this.summary(turn);
    return { content: words.HANDING_OVER, actions: [{ type: 'handoff', reason: 'customer_requested', summary }] };
  }

  private async summary(turn: Turn): Promise<string> {
    const lines = await turn.transcript().catch(() => []);
    const earlier = lines.slice(0, -1).filter(({ role }) => role === 'user');
    const quoted = [...earlier.slice(-3).map(({ content }) => content), turn.asked.content].map((content) =>
      excerptOf(content, this.plainText, 100),
    );
    const said = (await Promise.all(quoted)).filter((excerpt) => excerpt !== '').map((excerpt) => `“${excerpt}”`);
    return cut(`Asked for a person. Last messages: ${said.join(' ')}`, SUMMARY);
  }

  private async greeting(turn: Turn): Promise<string> {
    const { customer, now, timeZone } = turn.asked;
    if (customer === null) return STRANGERS_GREETING;
    const welcome = await this.welcomeBack(turn);
    if (welcome === null) return `Hello${byName(customer.name)}! ${words.WHAT_I_DO} What can I do for you?`;
    const { described, upcoming } = await import('./appointments.js');
    const [next] = upcoming((await turn.memory()).appointments, now);
    const reminder = next === undefined ? '' : `Your next appointment: ${described(next, timeZone)}. `;
    return `${welcome} ${reminder}What can I do for you?`;
  }

  /** How a returning customer is greeted, or null for anybody else. */
  private async welcomeBack(turn: Turn): Promise<string | null> {
    const { customer } = turn.asked;
    if (customer === null) return null;
    const { appointments, conversations } = await turn.memory();
    if (appointments.length === 0 && conversations.length === 0) return null;
    return `Welcome back${byName(customer.name)}! Good to see you again.`;
  }

  /** Before the first reply of a conversation to a returning customer. */
  private async welcome(turn: Turn): Promise<string> {
    if (turn.asked.customer === null || (await turn.transcript()).length > 1) return '';
    const welcome = await this.welcomeBack(turn);
    return welcome === null ? '' : `${welcome}\n\n`;
  }
}

/** What a message says by itself. */
interface Said {
  readonly text: string;
  readonly intent: AppointmentIntent | null;
  readonly leaves: boolean;
  /** Beside taking leave. */
  readonly rest: string;
}

function hear(text: string): Said {
  const leaves = takesLeave(text);
  return { text, intent: appointmentIntent(text), leaves, rest: leaves ? besidesLeave(text) : text };
}

/** What is answered alike, whoever says it and whatever was said before. */
function answeredOutright({ text, intent, leaves, rest }: Said): AgentReply | null {
  if (asksWhoAnswers(text)) return { content: `${words.AUTOMATED} ${words.WHAT_I_DO} ${words.OFFER_PERSON}`, actions: [] };
  return leaves && intent === null && !saysPlainYes(rest) ? farewell(words.GOODBYE) : null;
}

function smallTalk(text: string, excerpt: string): string {
  if (thanksOnly(text)) return `You're welcome! ${words.ANYTHING_ELSE}`;
  if (asksForHelp(text)) return `${words.WHAT_I_DO} What shall it be?`;
  const hello = greets(text) === 'no' ? '' : 'Hello! ';
  if (excerpt === '') return `${hello}I have your message. ${words.WHAT_I_DO}`;
  if (text.endsWith('?')) return `${hello}You asked: “${excerpt}” I don't know that one. ${words.WHAT_I_DO}`;
  return `${hello}I've read your message: “${excerpt}” ${words.WHAT_I_DO}`;
}

function byName(name: string | null): string {
  const known = words.literal(name ?? '');
  return known === '' ? '' : `, ${known}`;
}

function farewell(content: string): AgentReply {
  return { content, actions: [{ type: 'end_conversation', reason: 'resolved' }] };
}
