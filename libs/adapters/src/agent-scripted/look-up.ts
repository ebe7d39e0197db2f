import type { AgentTurn, AppointmentSummary } from '@ports/agent.port';
import { described, upcoming } from './appointments.js';
import { fits, namedIn } from './choice.js';
import type { Ledger } from './ledger.js';
import { type Answer, say } from './replies.js';
import type { Said } from './so-far.js';
import { NOTHING_SAID, readWhen } from './when.js';
import * as words from './wording.js';

/** Those a question names by service or by day; all of them where it names none of both. */
function askedAbout(found: readonly AppointmentSummary[], { text, at }: Said, zone: string): readonly AppointmentSummary[] {
  const called = found.filter(namedIn(text));
  const { day } = readWhen(text, at, zone);
  const pool = called.length > 0 ? called : found;
  return day === null ? pool : pool.filter((one) => fits(one, { ...NOTHING_SAID, day }, zone));
}

/** The answer to a question about one's appointments: the one asked about, else the next. */
export async function lookUp(turn: AgentTurn, ledger: Ledger, asked: Said, zone: string): Promise<Answer> {
  const { now } = turn;
  const remembered = upcoming((await turn.memory()).appointments, now);
  const found = remembered.length > 0 ? remembered : upcoming(await ledger.all(), now);
  const [next] = found;
  if (next === undefined) return ledger.canBook ? say(words.NO_APPOINTMENT) : say(words.NO_SIGHT, words.OFFER_PERSON);
  const [meant] = askedAbout(found, asked, zone);
  const intro = meant === undefined ? 'I see none then. ' : '';
  const one = meant ?? next;
  const others = found.length - 1;
  const more = others === 0 ? '' : `You have ${others} more${one === next ? ' after that' : ''}.`;
  const which = one === next ? 'Your next appointment' : 'Your appointment';
  return say(`${intro}${which}: ${described(one, zone)}, ${one.status}.`, more, words.ANYTHING_ELSE);
}
