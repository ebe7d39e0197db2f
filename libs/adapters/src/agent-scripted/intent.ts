export type AppointmentIntent = 'lookup' | 'cancel' | 'move' | 'confirm' | 'book';

/** Text as every pattern of this folder expects it. */
export function readable(content: string): string {
  return content
    .toLowerCase()
    .replace(/[\u2018\u2019\u02bc]/g, "'")
    .replace(/(?<!\w)[*_`~]+|[*_`~]+(?!\w)/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

const VISIT = String.raw`(?:appointments?|bookings?|reservations?|visits?|time ?slots?|slots?|sessions?|check-?ups?|consultations?|meetings?)`;
const IT = String.raw`(?:it|that|this(?: one)?|that one|them|both|all|everything|mine)`;
const MY_VISIT = String.raw`(?:(?:my|the|our|this|that|all|both)(?: (?!and\b|or\b)[\w'-]+){0,4}? ${VISIT})`;
const WHEN = String.raw`(?:to(?:day|night|morrow)|tmrw|mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs(?:day)?)?|fri(?:day)?|saturday|sunday|next|this (?:morning|afternoon|evening|week)|noon|midday|(?:the )?\d[\w:.]{0,8})`;
export const SPEAKS_OF_TIME = new RegExp(
  String.raw`\b(?:today|tonight|tomorrow|tmrw|yesterday|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:on|next|this) (?:mon|tue|wed|thu|fri|sat|sun)|next week|noon|midday|midnight|morning|afternoon|evening|o'clock|half past|quarter (?:past|to)|(?:january|february|march|april|june|july|august|september|october|november|december|jan|feb|apr|jun|jul|aug|sept?|oct|nov|dec)\.? \d|\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|\d{1,2}(?:st|nd|rd|th)|\d{1,2}[:.]\d\d|\d{1,2} ?(?:am|pm|a\.m|p\.m|h)|\d{4}-\d\d-\d\d(?:t\d[\d:.]*(?:z|[+-]\d\d:?\d\d)?)?|\d{1,2}/\d{1,2}|in (?:\d+|an?|one|two|three|four|five|six|seven) (?:minute|hour|day|week)s?|(?:hour|minute|day|week)s? (?:later|earlier)|at (?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve))\b`,
);

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
];

/** Somebody who cannot come has not said what shall become of the appointment. */
export const CANNOT_COME = new RegExp(
  String.raw`\b(?:can't|cannot|can not|won't|unable to|not able to)(?: be able to)? (?:(?:make|attend|keep) (?:it|${MY_VISIT})|(?:come|make it|attend)\b(?=.*\b(?:${VISIT}|${WHEN})))`,
);

const CANCEL = new RegExp(
  String.raw`\b(?:cancel|cancell?ing|call off|drop|delete|scrap) (?:${IT}|${MY_VISIT}|(?:an? |the )?${VISIT}|${WHEN}|my (?!order|subscription|account|contract|membership|plan|flight|hotel|card|payment|policy|insurance|ticket)\w+)\b|^(?:please |i'd like to |i want to |i need to |can you |could you )*cancel(?: please)?$`,
);

const MOVE = new RegExp(
  String.raw`\b(?:move|moving|reschedule|rescheduling|re-schedule|postpone|push|shift|switch|change|bring) (?:${IT}\b|${MY_VISIT}|(?:an? |the )?${VISIT}|(?:back |forward )?to ${WHEN}|the (?:time|date|day)|my (?:time|date)|(?:my|the) (?:[\w'-]+ ){1,3}to ${WHEN}|${WHEN}\b.{0,20} to\b)|\breschedule\b|\binstead\b.{0,20}\b${WHEN}|${WHEN}\b.{0,20}\binstead\b|\bmake (?:it|that) ${WHEN}`,
);

const CONFIRM = new RegExp(
  String.raw`\bconfirm(?:ing)? (?:${IT}|${MY_VISIT}|(?:an? |the )?${VISIT}|${WHEN}|please)\b|\bconfirm(?:ed)?[.!]*$|^(?:yes,? |ok(?:ay)?,? |please |i )*confirm(?:ed)?\b(?! (?:my|the|that) (?:email|address|order|phone|number|identity))`,
);

/** Wishes that name a visit; telling of one reads much alike. */
const BOOK_MENTIONED = [
  new RegExp(
    String.raw`\b(?:book|schedule|reserve|arrange|set up|make|get|need|want|like|have|take|fix|request|looking for)\b(?: (?!cancel|confirm|move|when|what|my\b|our\b|about\b|regarding\b|know\b|ask\b|discuss\b)[\w'-]+){0,6}? ${VISIT}\b`,
  ),
  new RegExp(String.raw`^(?:an? |new |another )*${VISIT}\b`),
];

const BOOK_OUTRIGHT = [
  /(?<!\b(?:an?|the|my|this|your|his|her|our|that|new|good|which|another|audio|phone|of|any|some|every|e)[ -])\bbook(?: (?:me|us|in|it|an?|my|the first|for|now|something|this|that|on|at|to)\b| ?$| ?[.!?]| (?=\w))(?! ?(?:is|was|club|store|shop|about|by|review|called|titled))/,
  /\b(?:schedule|reserve|pencil|fit|squeeze|sign|put) (?:me|us)(?: in| for| up| on| at| a\b| an\b)/,
  new RegExp(String.raw`\b(?:schedule|reserve) (?:an?|the|my) \w+`),
];

/** "I have an appointment tomorrow" tells of one. */
const TELLS = new RegExp(
  String.raw`(?<!\b(?:can|could|may|might|should|shall|would|do|did|must|when|please let) )\b(?:i|we)(?:'ve| already| do| still| just| had| have| got| made| booked| missed| attended)+(?: (?!to\b)[\w'-]+){0,3}? ${VISIT}\b`,
);

const VISITING =
  /\b(?:come|drop in|stop by|visit|be seen|see (?:the|a|you|me|us|dr)|have time|free|available|availability|opening|openings|any slots?|something)\b/;

/** "don't", "no need to" and the like in front of what is refused. */
const REFUSAL =
  /\b(?:don't|do not|didn't|did not|doesn't|not|never|no need to|without|won't|stop)(?: (?:need|want|wish|like|have|to|you|me|please|ever|try|trying|going|think|i|it))*$/;

function asks(pattern: RegExp, text: string): boolean {
  const match = pattern.exec(text);
  return match !== null && !REFUSAL.test(text.slice(0, match.index).trimEnd());
}

function asksToBook(text: string): boolean {
  const patterns = TELLS.test(text) ? BOOK_OUTRIGHT : [...BOOK_OUTRIGHT, ...BOOK_MENTIONED];
  return patterns.some((pattern) => asks(pattern, text)) || (SPEAKS_OF_TIME.test(text) && asks(VISITING, text));
}

/** What somebody wants done about an appointment, judged from one message alone. */
export function appointmentIntent(text: string): AppointmentIntent | null {
  if (LOOKUP.some((pattern) => pattern.test(text))) return 'lookup';
  if (CANNOT_COME.test(text) || asks(MOVE, text)) return 'move';
  if (asks(CANCEL, text)) return 'cancel';
  if (asksToBook(text)) return 'book';
  return asks(CONFIRM, text) ? 'confirm' : null;
}

const YES =
  /^(?:yes|yep|yeah|yup|sure|ok|okay|please|please do|correct|right|exactly|sounds good|go ahead|do it|that works|perfect|fine|of course|absolutely|definitely)\b(?! but)/;
const NO = /^(?:no|nope|nah|not now|no thanks|no thank you|don't)\b/;
const NEVER_MIND =
  /\b(?:never ?mind|forget (?:it|about it|that)|leave it|doesn't matter|not anymore)\b|^(?:stop|cancel(?: that| it| this)?|abort)(?: please)?[.!]*$/;
const CHOICE =
  /\b(?:first|second|third|fourth|fifth|last|latter|former|both|earlier one|later one)\b|^(?:the|my|for) (?:\S+ ?){1,3}$/;
const NUMBER_ONLY =
  /^(?:(?:at|around|about|maybe|number|no\.?) ?|#)?(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b.{0,12}$/;
const SHORT = 160;

export function saysYes(text: string): boolean {
  return YES.test(text);
}

export function saysNo(text: string): boolean {
  return NO.test(text);
}

export function takesBack(text: string): boolean {
  return NEVER_MIND.test(text);
}

/**
 * Whether a message without a wish of its own may answer a question asked before: cheap, since only then the
 * transcript is read.
 */
export function mayAnswer(text: string): boolean {
  if (text.length > SHORT) return false;
  return [SPEAKS_OF_TIME, YES, NO, NEVER_MIND, CHOICE, NUMBER_ONLY].some((pattern) => pattern.test(text));
}
