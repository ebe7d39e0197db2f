import { anyOf } from './any-of.js';
import { AMOUNT } from './durations.js';
import { NUMBER_WORDS } from './numbers.js';
import { isOrdered, isWelcome } from './order.js';
import { spelledOut } from './spelling.js';
import { CLOCK_WORDS, IT, MONTH_BEGINS, MY_VISIT, NO_VISIT, SPEAKS_OF_TIME, VISIT, WHEN } from './vocabulary.js';

export type AppointmentIntent = 'lookup' | 'cancel' | 'move' | 'confirm' | 'book';

/** Most messages are plain already, which one look tells. */
const NOT_PLAIN = /[\u2018\u2019\u02bc*_`~]|[^\S ]|\s\s|^\s|\s$/;

/** Text as every pattern of this folder expects it. */
export function readable(content: string): string {
  const text = content.toLowerCase();
  return spelledOut(NOT_PLAIN.test(text) ? plain(text) : text);
}

function plain(text: string): string {
  return text
    .replace(/[\u2018\u2019\u02bc]/g, "'")
    .replace(/(?<!\w)[*_`~]+|[*_`~]+(?!\w)/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

const LOOKUP = [
  new RegExp(
    String.raw`\b(?:when|what time|which day|what day|where)\b(?! (?:can|could|may|would|should|will|are|do|does|have|is|there)? ?(?:you|i (?:book|come|get|have)|there|it possible|slots?|the (?:first|next) (?:free|available)))(?! (?:can|could)).{0,40}\b${VISIT}\b`,
  ),
  new RegExp(
    String.raw`\b(?:do|did|have) (?:i|we) (?:still )?(?:have|got|get|made?|book)?(?: \w+){0,3} ?(?:${VISIT}|booked|scheduled)\b`,
  ),
  new RegExp(
    String.raw`\b(?:show|list|see|check|view|look up|find|tell me|remind me|what(?:'s| is| are)|which|details of|status of)\b.{0,25}\b(?:my|the|our|upcoming|next)(?: \w+){0,2} ${VISIT}\b`,
  ),
  new RegExp(String.raw`\bis ${MY_VISIT}(?: \w+){0,3} (?:confirmed|booked|still on|on|cancelled)\b`),
  /\b(?:when|what time|what day) (?:am i|are we|do i|do we|should i|was i|is it|is that|is mine)\b/,
  new RegExp(String.raw`^(?:so |and )?is ${MY_VISIT}\b`),
  /\bam i (?:booked|scheduled|confirmed)\b/,
  /^(?:my )?(?:next |upcoming )appointments?$/,
  new RegExp(String.raw`^(?:please )?(?:list|show)(?: me)?(?: all| the)? ${VISIT}$`),
  new RegExp(String.raw`\b(?:what|which) ${VISIT} (?:do|have|did) (?:i|we)\b`),
  /^my appointments?$/,
  new RegExp(String.raw`\b(?:when|what time|what day|which day)(?:'s| is| are) (?:my|our) (?!(?:[\w'-]+ ){0,2}?${NO_VISIT}\b)`),
  new RegExp(
    String.raw`\bis my (?!(?:[\w'-]+ ){0,2}?${NO_VISIT}\b)(?:[\w'-]+ ){1,4}?(?:still )?(?:confirmed|booked|cancelled|on)\b`,
  ),
  /\bis (?:it|that) (?:still )?(?:confirmed|booked|cancelled|on)[?.! ]*$/,
  /\bdo (?:i|we) (?:still )?have (?:anything|something)\b/,
  new RegExp(String.raw`\b${MY_VISIT} is [^?,.]*(?:, ?(?:right|correct|yes|isn't it))? ?\?$`),
  new RegExp(String.raw`\bconfirm (?:that|whether|if|when) ${MY_VISIT}`),
];

const ANY_LOOKUP = anyOf(...LOOKUP);

/** Somebody who cannot come has not said what shall become of the appointment. */
export const CANNOT_COME = new RegExp(
  String.raw`\b(?:can't|cannot|can not|won't|unable to|not able to)(?: be able to)? (?:(?:make|attend|keep) (?:it|${MY_VISIT})|(?:come|make it|attend)\b(?=.*\b(?:${VISIT}|${WHEN})))`,
);

const THEIRS = String.raw`(?: (?:my|the|our|your|his|her|their|this|that|an?))?(?: [\w'-]+){0,2} ${NO_VISIT}\b`;
const CANCEL = new RegExp(
  String.raw`\b(?:cancel|cancell?ing)\b(?!${THEIRS}| (?:later|within|before|up to)\b|[^.!?;]{0,60} (?:for free|free of charge|without (?:a |any )?(?:fee|charge|cost)s?|any ?time)\b)|\b(?:call off|calling off|drop|delete|remove|scrap) (?:${IT}|${MY_VISIT}|(?:an? |the )?${VISIT})\b|\bcall (?:${IT}|${MY_VISIT}) off\b`,
  'g',
);

const NEEDED_NO_MORE = new RegExp(
  String.raw`\b(?:no longer (?:need|want)|(?:don't|do not) (?:need|want)(?=.{0,60}\bany ?more\b)) (?:to (?:keep|have) )?(?:it|${MY_VISIT})\b`,
);

/** One word each, so that there is one way only to read a row of them. */
const TIME_WORD = String.raw`(?:at|on|in|about|around|the|of|next|this|week|after|past|to|half|quarter|noon|midday|morning|afternoon|evening|o'clock|am|pm|please|today|tonight|tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)day|\d[\w:.]{0,8}|${MONTH_BEGINS}[a-z]*|${NUMBER_WORDS})`;
/** "I'd like my next visit to be on Friday": the one that is booked, or one that is to be. Nothing but a time follows. */
const MY_NEXT = new RegExp(
  String.raw`\b(?:make|(?<=(?:'d|\bwould) )like|want|need|prefer|(?:can|could|may) (?:i|we) have) (?:my|our) next (?:(?!and\b|or\b|free\b|available\b)[\w'-]+ ){0,2}?${VISIT}(?: to be)?(?: (?:on|at|for|in|the))* (?:${WHEN}|morning\b|afternoon\b|evening\b)(?:,? ${TIME_WORD}(?![\w-]))*(?= ?(?:[.!?;]|$))`,
  'g',
);

const STEP = String.raw`(?:by )?(?:about )?(?:${AMOUNT})[ -]?(?:minute|min|hour|hr|day|week)s?`;
/** "Push back half an hour", "can we do an hour later": where only one is booked, it needs no name. */
const SHIFT = new RegExp(
  String.raw`\b(?:(?:postpone|push|delay) (?:(?:back|up|out) )?${STEP}(?: later| earlier)?|(?:(?:move|shift) (?:(?:back|up|out) |(?=by ))|bring (?:forward|up) )${STEP}|(?:(?:can|could|may) (?:i|we|you) do|let's do|(?:can|could|may) (?:it|that) be) ${STEP} (?:later|earlier))(?= ?(?:[,.!?;]|$)| (?:please|instead|then|if|because|as|since|and|so|thanks)\b)`,
  'g',
);

/** "Can I bring my dog to the appointment?" moves nothing. */
const BRING = String.raw`bring(?=[^.!?;]{0,60} (?:forward|up|back)\b)`;
const PART = String.raw`the (?:early |late )?(?:morning|afternoon|evening)\b`;
const MOVE = new RegExp(
  String.raw`\b(?:move|moving|reschedule|rescheduling|re-schedule|postpone|push|shift|switch|change|${BRING}) (?:${IT}\b|${MY_VISIT}|(?:an? |the )?${VISIT}|(?:back |forward )?to (?:${WHEN}|${CLOCK_WORDS}|${PART})|the (?:time|date|day)|my (?:time|date)|(?:my|the) (?:[\w'-]+ ){1,3}to (?:${WHEN}|${PART}|the same (?:time|day)\b)|${WHEN}\b.{0,20} to\b)|\breschedule\b|\b(?:move|postpone|push|shift) my (?!(?:[\w'-]+ )?${NO_VISIT}\b)[\w'-]+(?: [\w'-]+)?(?=[.!?]*$| (?:by|back|forward|an?|half|one|two|three|\d))|\b(?:(?:do|have|take|try|come|choose) (?:it )?(?:(?:on|at|for) )?)?(?:\binstead\b.{0,20}\b${WHEN}|${WHEN}\b.{0,20}\binstead\b)|\b(?:make|do|have) (?:it|that) (?:(?:at|on|to|for) )?(?:${WHEN}|${CLOCK_WORDS}|(?:an?|one|two|three|half an|\d{1,2}) (?:minute|hour|day|week)s? (?:later|earlier))|\bcorrect (?:it|that) to\b|\b${WHEN}(?: (?:at|in the|on) [\w:]+)?(?: [ap]m)? (?:would be|is|suits me|works) better\b`,
  'g',
);

/** "I confirm that I got your letter" is about something else, "that I'll be there" is not. */
const OTHER_FACT = String.raw`(?! that (?:i|we|you|he|she|they|it|the|my|our|your)\b(?!(?:'ll| will| can|'m| am) (?:be|come|coming|attend|attending|make|making)\b))`;
const CONFIRM = new RegExp(
  String.raw`\bconfirm(?:ing)?${OTHER_FACT} (?:${IT}|${MY_VISIT}|(?:an? |the )?${VISIT}|(?:my|our) (?!(?:[\w'-]+ ){0,2}?${NO_VISIT}\b)[\w'-]+|${WHEN}|please)\b(?! (?:later|is|was)\b)|\bconfirm(?:ed)?[.!]*$|^(?:yes,? |ok(?:ay)?,? |and |also |please |i )*confirm(?:ed)?\b${OTHER_FACT}(?! (?:later|receipt|(?:my|the|that) ${NO_VISIT}))`,
  'g',
);
const CONFIRM_TOO = new RegExp(String.raw`\bconfirm\b${OTHER_FACT}(?!${THEIRS}|(?: (?:it|that))? (?:later|yet)\b)`, 'g');

const BOOK_WANTED = new RegExp(
  String.raw`\b(?:book|schedule|reserve|arrange|set up|make|get|need|want|like|have|take|fix|request|looking for)\b(?: (?!cancel|confirm|move|when|what|my\b|our\b|about\b|regarding\b|know\b|ask\b|discuss\b)[\w'-]+){0,6}? ${VISIT}\b`,
  'g',
);
/** Wishes that name a visit; telling of one reads much alike. */
const BOOK_MENTIONED = [
  BOOK_WANTED,
  new RegExp(String.raw`^(?:an? |new |another )*${VISIT}\b`, 'g'),
  new RegExp(
    String.raw`\b(?:i|we)(?: need| want|'d like| would like) an? (?!${NO_VISIT})(?=.{0,40}\b(?:at \d|\d{1,2}:\d\d|\d ?[ap]\.?m))`,
    'g',
  ),
];

const BOOK_OUTRIGHT = [
  /(?<!\b(?:an?|the|my|this|your|his|her|our|that|new|good|which|another|audio|phone|of|any|some|every|e)[ -])\bbook(?: (?:me|us|in|it|an?|my|the first|for|now|something|this|that|on|at|to)\b| ?$| ?[.!?]| (?=\w))(?! ?(?:is|was|club|store|shop|about|by|review|called|titled))/g,
  /\b(?:schedule|reserve|pencil|fit|squeeze|sign|put) (?:me|us)(?: in| for| up| on| down| at| a\b| an\b)/g,
  new RegExp(String.raw`\b(?:schedule|reserve) (?:an?|the|my) \w+`, 'g'),
];

/** "I have an appointment tomorrow" tells of one. */
const TELLS = new RegExp(
  String.raw`(?<!\b(?:can|could|may|might|should|shall|would|do|did|must|when|please let) )\b(?:i|we)(?:'ve| already| do| still| just| had| have| got| made| booked| missed| attended)+(?: (?!to\b)[\w'-]+){0,3}? ${VISIT}\b`,
);

const VISITING =
  /\b(?:come|drop in|stop by|(?<!\b(?:my|our|your|last|first|next|the|this|that|(?:had|made|missed|got|after|during|from|since) a) )visit|be seen|see (?:the|a|me|us|dr)|(?<=\b(?:i|we|to) )see you|have time|free|available|availability|opening|openings|any slots?|something)\b/g;

type Judged = (text: string, at: number) => boolean;

/** Matching all copies the pattern at each call, which the many texts without a match need not pay for. */
function asks(pattern: RegExp, text: string, isMeant: Judged): boolean {
  if (text.search(pattern) < 0) return false;
  for (const { index } of text.matchAll(pattern)) if (isMeant(text, index)) return true;
  return false;
}

/** Where the wish to book begins, or -1. */
export function bookingAt(text: string): number {
  for (const pattern of [...BOOK_OUTRIGHT, ...BOOK_MENTIONED, VISITING]) {
    const wish = [...text.matchAll(pattern)].find(({ index }) => isWelcome(text, index));
    if (wish !== undefined) return wish.index;
  }
  return -1;
}

const ANY_BOOKING = anyOf(...BOOK_OUTRIGHT, ...BOOK_MENTIONED, VISITING);

function asksToBook(text: string): boolean {
  if (!ANY_BOOKING.test(text)) return false;
  const patterns = TELLS.test(text) ? BOOK_OUTRIGHT : [...BOOK_OUTRIGHT, ...BOOK_MENTIONED];
  if (patterns.some((pattern) => asks(pattern, text, isWelcome))) return true;
  // The rarer first: what is cut out below ends a sentence, so that no visit comes about by it.
  if (text.search(VISITING) < 0 || !SPEAKS_OF_TIME.test(text)) return false;
  return asks(VISITING, text.replace(MY_NEXT, ' '), isWelcome);
}

/** Whether a message wants what is booked or moved to be confirmed as well. */
export function asksToConfirm(text: string): boolean {
  return asks(CONFIRM_TOO, text, isOrdered);
}

/** Whether somebody says when the next visit shall be, booked or not. */
export function wishesNextVisit(text: string): boolean {
  return asks(MY_NEXT, text, isOrdered);
}

/** "I want the appointment to be later", "I need a later slot": one is there already. */
const ONE_THERE =
  /\b(?:need|want|like) the (?!first|earliest|soonest|next|last|\d)|\b(?:a later|an earlier|a different|another) (?:time|slot|day|date)\b/;

/** "Book tomorrow at 10, actually make it 11": what is made another time is not booked yet. */
function correctsBooking(text: string): boolean {
  const begun = text.slice(0, Math.max(0, text.search(/\bmake (?:it|that)\b/)));
  if (TELLS.test(begun) || asks(MOVE, begun, isOrdered)) return false;
  if (BOOK_OUTRIGHT.some((pattern) => asks(pattern, begun, isWelcome))) return true;
  return !ONE_THERE.test(begun) && asks(BOOK_WANTED, begun, isWelcome);
}

const ANY_CHANGE = anyOf(MOVE, CANCEL, NEEDED_NO_MORE, SHIFT, MY_NEXT, CONFIRM);

/** What somebody wants done about an appointment, judged from one message alone. */
export function appointmentIntent(text: string): AppointmentIntent | null {
  if (ANY_LOOKUP.test(text)) return 'lookup';
  if (CANNOT_COME.test(text)) return 'move';
  if (!ANY_CHANGE.test(text)) return asksToBook(text) ? 'book' : null;
  if (asks(MOVE, text, isOrdered)) return correctsBooking(text) ? 'book' : 'move';
  if (asks(CANCEL, text, isOrdered) || NEEDED_NO_MORE.test(text)) return 'cancel';
  if (asksToBook(text)) return 'book';
  if (asks(SHIFT, text, isOrdered) || wishesNextVisit(text)) return 'move';
  return asks(CONFIRM, text, isOrdered) ? 'confirm' : null;
}
