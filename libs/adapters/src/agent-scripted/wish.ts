import { readBareHour } from './bare-hour.js';
import { CANNOT_COME, asksToConfirm, bookingAt } from './intent.js';
import { durationsIn } from './durations.js';
import { affirmed, corrections, withoutAbsences, withoutEngagements } from './meant.js';
import { NUMBER_WORDS } from './numbers.js';
import { partsOfDayIn } from './part-of-day.js';
import { serviceNamed } from './service-wish.js';
import type { Said } from './so-far.js';
import { withPlainTimes } from './time-words.js';
import { MONTH_BEGINS, SPEAKS_OF_DAY, SPEAKS_OF_DAYS, WHEN } from './vocabulary.js';
import { NOTHING_SAID, type When, combine, readWhen } from './when.js';
import { ASK_WHICH } from './wording.js';

/** What several messages together wish for. */
export interface Wish {
  /** Everything said, without what was denied. */
  readonly text: string;
  readonly service: string | null;
  /** When it shall be. */
  readonly when: When;
  /** Day and time by which an existing appointment was named. */
  readonly named: When;
  readonly confirm: boolean;
  /** What a second wish of the same message names. */
  readonly further: string | null;
  /** "Monday and Friday": one of the days is read, the others are left. */
  readonly namesMoreDays: boolean;
}

const POSSESSED = /\b(?:my|the|that) ((?:[\w':.]+ ){1,4})(?:appointment|booking|visit|slot|session|one)\b/;
const GOAL = new RegExp(
  String.raw`^(.*) to ((?:(?:the|a|an|about|around|on|at) )*(?:${WHEN}|${NUMBER_WORDS}|half|quarter|${MONTH_BEGINS}|first|following|day after|sat|sun|midnight|morning|afternoon|evening).*)$`,
);
const SECOND_WISH =
  / and (?=(?:also |then )?(?:book )?(?:me )?(?:an?|another|one|on|at|next|tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b)/g;
const MOST_SPLITS = 3;

function saysNothing(when: When): boolean {
  return Object.values(when).every((part) => part === null);
}

function read(text: string, at: number, zone: string, takesBareHour: boolean): When {
  const when = readWhen(text, at, zone);
  const isBare = takesBareHour && saysNothing({ ...when, part: null });
  const time = isBare ? readBareHour(partsOfDayIn(withPlainTimes(text)).rest.trim()) : null;
  return time === null ? when : combine(when, { ...NOTHING_SAID, time });
}

function readSaid({ text, at, answering }: Said, zone: string): When {
  return read(text, at, zone, answering !== null);
}

function isWhole({ day, time, instant }: When): boolean {
  return instant !== null || (day !== null && time !== null);
}

/** "I called on Friday, book Tuesday at 9": what follows the order counts for more than what stands before it. */
function readOrder(said: Said, zone: string): When {
  const text = affirmed(withoutEngagements(said.text));
  const at = bookingAt(text);
  if (at <= 0) return readSaid({ ...said, text }, zone);
  const [before, after] = [readWhen(text.slice(0, at), said.at, zone), readWhen(text.slice(at), said.at, zone)];
  if (isWhole(after)) return { ...after, length: after.length ?? before.length };
  return isWhole(before) ? readSaid({ ...said, text }, zone) : combine(before, after);
}

function namesMoreDays(said: Said, zone: string): boolean {
  const text = affirmed(withoutEngagements(said.text));
  if (!SPEAKS_OF_DAYS.test(text)) return false;
  const order = text.slice(Math.max(0, bookingAt(text)));
  return SPEAKS_OF_DAYS.test(order) || !isWhole(readWhen(order, said.at, zone));
}

function serviceIn(text: string): string | null {
  return serviceNamed(durationsIn(affirmed(text)).rest.replace(/\b(book) and confirm\b/, '$1'));
}

interface MoveParts {
  readonly from: string;
  readonly to: string;
}

/** "move my 10am appointment on Monday to Friday": what comes after the last "to" is where it goes. */
function movePartsOf(text: string): MoveParts[] {
  const parts: MoveParts[] = [];
  const to = GOAL.exec(text);
  if (to !== null) parts.push({ from: to[1] ?? '', to: to[2] ?? '' });
  const possessed = POSSESSED.exec(text);
  if (possessed !== null) parts.push({ from: possessed[1] ?? '', to: text.replace(POSSESSED, ' ') });
  return [...parts, { from: '', to: text }];
}

interface Move {
  readonly when: When;
  readonly named: When;
}

const NO_MOVE: Move = { when: NOTHING_SAID, named: NOTHING_SAID };

function together(earlier: Move, later: Move): Move {
  return { when: combine(earlier.when, later.when), named: combine(earlier.named, later.named) };
}

/** "Move it a week later" to two o'clock. */
function stepIn(from: string): When['shift'] {
  const order = /\b(?:mov(?:e|ing)|push(?:ing)?|postpon(?:e|ing)|shift(?:ing)?|reschedul(?:e|ing)|bring(?:ing)?)\b.*$/.exec(
    from,
  )?.[0];
  return order === undefined ? null : durationsIn(order).shift;
}

function readMovePart(text: string, { at, answering }: Said, zone: string): Move {
  for (const { from, to } of movePartsOf(text)) {
    const when = read(withoutEngagements(to), at, zone, answering !== null || from !== '');
    const named = from === '' ? NOTHING_SAID : readWhen(from, at, zone);
    const shift = when.shift ?? stepIn(from);
    if (!saysNothing(when)) return { when: { ...when, shift }, named };
  }
  return NO_MOVE;
}

function readMove(said: Said, zone: string): Move {
  if (said.answering === ASK_WHICH || CANNOT_COME.test(said.text))
    return { when: NOTHING_SAID, named: readWhen(said.text, said.at, zone) };
  return corrections(affirmed(withPlainTimes(withoutAbsences(said.text))))
    .map((part) => readMovePart(part.trim(), said, zone))
    .reduce(together, NO_MOVE);
}

function wishing(said: readonly Said[], when: When, named: When): Wish {
  const services = said.map(({ text }) => serviceIn(text)).filter((service) => service !== null);
  const text = said.map((each) => affirmed(each.text)).join(' \n ');
  const confirm = said.some((each) => asksToConfirm(each.text));
  return { text, service: services.at(-1) ?? null, when, named, confirm, further: null, namesMoreDays: false };
}

/** "a haircut at 10 and a massage at 3": the first wish, and the rest of it when that names a time of its own. */
function divided(said: Said, zone: string): { readonly first: Said; readonly further: string | null } {
  for (const { index, 0: joint } of [...said.text.matchAll(SECOND_WISH)].slice(0, MOST_SPLITS)) {
    const [first, further] = [said.text.slice(0, index), said.text.slice(index + joint.length)];
    const [one, other] = [readWhen(first, said.at, zone), readWhen(further, said.at, zone)];
    if (one.time !== null && other.time !== null) return { first: { ...said, text: first }, further };
  }
  return { first: said, further: null };
}

/** What shall be booked; of two bookings in one message the first, while `further` holds the other. */
export function bookingWish(said: readonly Said[], zone: string): Wish {
  const wishes = said.map((each) => divided(each, zone));
  const firsts = wishes.map(({ first }) => first);
  const confirm = said.some(({ text }) => asksToConfirm(text));
  const wish = wishing(firsts, firsts.map((each) => readOrder(each, zone)).reduce(combine, NOTHING_SAID), NOTHING_SAID);
  const further = wishes.find((each) => each.further !== null)?.further ?? null;
  const dated = firsts.findLast(({ text }) => SPEAKS_OF_DAY.test(text));
  return { ...wish, confirm, further, namesMoreDays: dated !== undefined && namesMoreDays(dated, zone) };
}

/** Which appointment shall be moved (`named`), and where to (`when`). */
export function movingWish(said: readonly Said[], zone: string): Wish {
  const { when, named } = said.map((each) => readMove(each, zone)).reduce(together, NO_MOVE);
  return wishing(said, when, named);
}

/** For confirming and cancelling: every date named says which one. */
export function choosingWish(said: readonly Said[], zone: string): Wish {
  const named = said.map(({ text, at }) => readWhen(text, at, zone)).reduce(combine, NOTHING_SAID);
  return wishing(said, NOTHING_SAID, named);
}

/** The time a message names. */
export function timeNamed(said: Said, zone: string): boolean {
  return !saysNothing(readSaid(said, zone));
}

/** Whether a message says anything that a question about an appointment could be answered with. */
export function informs(said: Said, zone: string): boolean {
  return timeNamed(said, zone) || serviceIn(said.text) !== null;
}

/** How a second wish is called in the answer. */
export function nameOfFurther(further: string): string {
  return (
    serviceIn(/^(?:an?|another|the|book) /.test(further) ? `book ${further.replace(/^book /, '')}` : further) ?? 'second one'
  );
}
