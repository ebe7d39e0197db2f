import type { TranscriptLine } from '@ports/agent.port';
import { type AppointmentIntent, appointmentIntent, readable } from './intent.js';
import { objectNamed } from './service-wish.js';
import { ordersIn } from './several-orders.js';
import { MY_VISIT, SPEAKS_OF_TIME } from './vocabulary.js';
import {
  ANYTHING_ELSE,
  ASK_DAY,
  ASK_TIME,
  ASK_WHEN,
  ASK_WHICH,
  CLOSINGS,
  OFFER_BOOKING,
  OFFER_CONFIRM,
  OFFER_PERSON,
} from './wording.js';

export interface Said {
  /** As `readable` leaves it. */
  readonly text: string;
  readonly at: number;
  /** The question it followed, if any. */
  readonly answering: string | null;
}

interface OpenWish {
  readonly kind: 'wish';
  readonly intent: AppointmentIntent;
  /** Nothing where we offered to book. */
  readonly said: readonly Said[];
  readonly asked: string;
}

/** What is open when a message arrives: a wish that lacks something, or an offer to be taken or declined. */
export type Open = OpenWish | { readonly kind: 'offer'; readonly offer: typeof OFFER_CONFIRM | typeof OFFER_PERSON } | null;

const QUESTIONS = [ASK_WHEN, ASK_DAY, ASK_TIME, ASK_WHICH];
const REACH = 12;
/** What was answered with small talk counts later on only when it is short: a long tale is read once. */
const LONGEST_ASIDE = 500;

function endsWithOneOf(content: string, sentences: readonly string[]): string | undefined {
  return sentences.find((sentence) => content.trimEnd().endsWith(sentence));
}

function questionIn(line: TranscriptLine | undefined): string | null {
  return line?.role === 'assistant' ? (endsWithOneOf(line.content, QUESTIONS) ?? null) : null;
}

function isLongAside({ content }: TranscriptLine, answer: TranscriptLine | undefined): boolean {
  const isUnheard = answer?.role === 'assistant' && endsWithOneOf(answer.content, CLOSINGS) === undefined;
  return isUnheard && content.length > LONGEST_ASIDE;
}

function wishBefore(lines: readonly TranscriptLine[], end: number, asked: string): Open {
  const said: Said[] = [];
  for (let index = end; index >= 0 && said.length < REACH; index -= 1) {
    const line = lines[index];
    if (line === undefined) break;
    if (line.role === 'assistant') {
      if (endsWithOneOf(line.content, [OFFER_BOOKING]) !== undefined) return { kind: 'wish', intent: 'book', said, asked };
      if (endsWithOneOf(line.content, [ANYTHING_ELSE, OFFER_CONFIRM]) !== undefined) break;
      continue;
    }
    if (isLongAside(line, lines[index + 1])) continue;
    const written = readable(line.content);
    // A question is about the first order of a message alone.
    const { text, intent } = ordersIn(written, appointmentIntent(written)).first;
    said.unshift({ text, at: line.at, answering: questionIn(lines[index - 1]) });
    if (intent !== null) return wishFrom(lines.slice(0, index + 1), intent, said, asked);
  }
  return null;
}

/** The wish of a message with an intent: one of its own, or what an earlier one had left open. */
function wishFrom(lines: readonly TranscriptLine[], intent: AppointmentIntent, said: readonly Said[], asked: string): Open {
  const earlier = openBefore(lines);
  if (earlier?.kind !== 'wish' || !goesOn(earlier, intent, said[0]?.text ?? '')) return { kind: 'wish', intent, said, asked };
  // What began it names the service.
  const [first, ...later] = [...earlier.said, ...said];
  return { ...earlier, said: [...(first ? [first] : []), ...later.slice(1 - REACH)], asked };
}

const SPEAKS_OF_MY_VISIT = new RegExp(MY_VISIT);
/** What is named is a part of the wish itself, and no visit. */
const OF_THE_WISH =
  /^(?:date|(?:week)?day|start(?:ing)?(?: time)?|beginning|hour|duration|length|plan|place|seat|spot|details?|request|treatment|service)$/;

/** Whether an order that answers a question of ours is about the wish that was asked about, and no other visit by its name. */
export function goesOn({ intent: open, said }: OpenWish, intent: AppointmentIntent, text: string): boolean {
  if (intent === open) return true;
  if (open !== 'book' || (intent !== 'move' && intent !== 'confirm') || namesAnother(said, text)) return false;
  return intent === 'move' || said.length > 0 || (SPEAKS_OF_TIME.test(text) && !SPEAKS_OF_MY_VISIT.test(text));
}

function namesAnother(said: readonly Said[], text: string): boolean {
  const object = objectNamed(text);
  const name = object?.split(' ').at(-1) ?? '';
  return object !== null && !OF_THE_WISH.test(object) && !said.some((each) => each.text.includes(name));
}

/** Reads back from the message to answer, over small talk, to the last thing asked, offered or settled. */
export function openBefore(lines: readonly TranscriptLine[]): Open {
  const last = lines.length - 2;
  for (let index = last; index >= Math.max(0, last - REACH); index -= 1) {
    const line = lines[index];
    if (line?.role !== 'assistant') continue;
    const asked = endsWithOneOf(line.content, QUESTIONS);
    if (asked !== undefined) return wishBefore(lines, index - 1, asked);
    if (endsWithOneOf(line.content, [OFFER_BOOKING])) return { kind: 'wish', intent: 'book', said: [], asked: OFFER_BOOKING };
    const offer = endsWithOneOf(line.content, [OFFER_CONFIRM, OFFER_PERSON]);
    // An offer stands for the very next message only: a later "yes" means something else.
    if (offer === OFFER_CONFIRM || offer === OFFER_PERSON) return index === last ? { kind: 'offer', offer } : null;
    if (endsWithOneOf(line.content, [ANYTHING_ELSE]) !== undefined) return null;
  }
  return null;
}

/** What the assistant said lately, newest first. */
export function spoken(lines: readonly TranscriptLine[]): string[] {
  return lines
    .filter(({ role }) => role === 'assistant')
    .map(({ content }) => content)
    .toReversed();
}

/** Whether the last thing the assistant told is that something was done. */
export function wasDone(lines: readonly TranscriptLine[]): boolean {
  const last = lines.at(-2);
  return last?.role === 'assistant' && /^(?:.*\n\n)?(?:Done: |All \d+ upcoming )/s.test(last.content);
}
