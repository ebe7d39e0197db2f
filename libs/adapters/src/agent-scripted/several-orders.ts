import { type AppointmentIntent, CANNOT_COME, appointmentIntent, wishesNextVisit } from './intent.js';
import { objectNamed } from './service-wish.js';
import { SPEAKS_OF_DAY, SPEAKS_OF_HOUR, SPEAKS_OF_TIME, VISIT } from './vocabulary.js';

export interface Order {
  readonly text: string;
  readonly intent: AppointmentIntent;
}

export interface Orders {
  /** All of the message where there are no more. */
  readonly first: { readonly text: string; readonly intent: AppointmentIntent | null };
  readonly further: readonly Order[];
}

/** Where one order may end and the next begin. */
const JOINT =
  /[,;.!]? (?:and|then|also)(?: (?:also|then|please))* |[,;.!] (?=(?:please )?(?:book|cancel|move|reschedule|confirm)\b)/g;
/** "Cancel it. Actually no, move it": the second order takes the first one back. */
const TAKES_BACK =
  /[,;.!] ?(?:oh |well |hm+ |and |but )*(?:no|wait|sorry|oops|actually|rather|scratch that|on second thoughts?|i meant?|i(?:'ve)? changed)\b|\b(?:actually no|no wait|or rather)\b/;
/** "Book Monday at 9, if that is taken book Tuesday": the second one is meant in place of the first. */
const IN_ITS_PLACE = /\b(?:if|unless|or|either|else|otherwise|alternatively|instead|on second thoughts?)\b/;
/** "Book a cut on Friday at 9, then book the appointment for 45 minutes from 9 on" says more of the first. */
const OF_THE_SAME = new RegExp(
  String.raw`\bbook (?:me |us )?(?:in )?(?:for )?(?:it|(?:the|this|that)(?: same)? ${VISIT})\b(?! (?:again|too|as well)\b)`,
);
const CALLED_BY_NAME = /^(?:my|our|the) /;
const MOST_JOINTS = 6;

/** "Book it and confirm it" is one order, "cancel the cut and confirm the massage" are two. */
function isAnother(first: Order, next: Order): boolean {
  if (first.intent === 'lookup' || (first.intent === 'book' && wishesNextVisit(next.text))) return false;
  if (first.intent === 'book' && next.intent === 'book') return isAnotherBooking(first.text, next.text);
  const [one, other] = [objectNamed(first.text), objectNamed(next.text)];
  if (next.intent === 'confirm' || first.intent === next.intent) return other !== null && other !== one;
  return true;
}

/** "Book it, book it now" is one, "book Monday at 9, book Tuesday at 9" are two. */
function isAnotherBooking(first: string, next: string): boolean {
  if ([first, next].some((text) => !SPEAKS_OF_TIME.test(text) || IN_ITS_PLACE.test(text))) return false;
  if (OF_THE_SAME.test(next) && !OF_THE_SAME.test(first)) return false;
  return !isRestOf(first, next) && !isRestOf(next, first);
}

/** "Book Friday, book me in at 10": the one names the day alone and the other the hour. */
function isRestOf(day: string, hour: string): boolean {
  const [isDay, isHour] = [SPEAKS_OF_DAY.test(day), SPEAKS_OF_HOUR.test(hour)];
  return isDay && isHour && !SPEAKS_OF_HOUR.test(day) && !SPEAKS_OF_DAY.test(hour);
}

/** "Cancel my haircut on Tuesday and my massage on Thursday": the verb is said once. */
function withVerbOf(first: Order, text: string): Order | null {
  const { intent } = first;
  if (intent !== 'cancel' && intent !== 'confirm' && !(intent === 'move' && SPEAKS_OF_TIME.test(first.text))) return null;
  const spelled = `${intent} ${text}`;
  const isNamed = CALLED_BY_NAME.test(text) && objectNamed(first.text) !== null && objectNamed(spelled) !== null;
  return isNamed && appointmentIntent(spelled) === intent ? { text: spelled, intent } : null;
}

function nextOrder(first: Order, text: string): Order | null {
  const intent = appointmentIntent(text);
  const next = intent === null ? withVerbOf(first, text) : { text, intent };
  return next !== null && isAnother(first, next) ? next : null;
}

/** The pieces of a text that might be orders, each with what joins it to the one before. */
function piecesOf(text: string): { readonly joint: string; readonly piece: string }[] {
  const joints = [...text.matchAll(JOINT)].slice(0, MOST_JOINTS);
  return joints.map(({ index, 0: joint }, place) => {
    const end = joints[place + 1]?.index ?? text.length;
    return { joint, piece: text.slice(index + joint.length, end) };
  });
}

function isOrder(first: Orders['first']): first is Order {
  return first.intent !== null && !CANNOT_COME.test(first.text) && !TAKES_BACK.test(first.text);
}

/** The orders of a message, each as if it had been given alone. */
export function ordersIn(text: string, intent: AppointmentIntent | null): Orders {
  const pieces = intent === null ? [] : piecesOf(text);
  if (pieces.length === 0) return { first: { text, intent }, further: [] };
  const begun = text.slice(0, text.search(JOINT));
  let last: Orders['first'] = { text: begun, intent: appointmentIntent(begun) };
  const before: Order[] = [];
  for (const { joint, piece } of pieces) {
    const next = isOrder(last) ? nextOrder(last, piece) : null;
    if (next !== null && isOrder(last)) {
      before.push(last);
      last = next;
    } else {
      const whole: string = last.text + joint + piece;
      last = { text: whole, intent: appointmentIntent(whole) };
    }
  }
  const [first, ...further] = [...before, last].filter((order): order is Order => order.intent !== null);
  return { first: first ?? { text, intent }, further };
}
