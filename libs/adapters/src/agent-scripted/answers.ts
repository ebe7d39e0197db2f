import { anyOf } from './any-of.js';
import { NUMBER } from './numbers.js';
import { SPEAKS_OF_TIME } from './vocabulary.js';

const YES_WORD = String.raw`(?:yes|yep|yeah|yup|sure|ok|okay|please|please do|correct|right|exactly|sounds good|go ahead|do (?:it|that)|let's do (?:it|that)|(?:that|this|it) (?:works|is fine|is right|is correct|sounds good)|that's (?:fine|right|correct|perfect|ok|okay)|that would be (?:great|good|nice|lovely|fine)|i would|i'd like (?:that|to)|perfect|fine|of course|absolutely|definitely|confirm)`;
const THANKS = String.raw`(?:thanks|thank you|thx|very much|so much|for me|with me|to me|now|it|then)`;
const YES = new RegExp(String.raw`^${YES_WORD}(?:(?:[ ,.!-]+|,? and )(?:${YES_WORD}|${THANKS}))*[ ,.!]*$`);
const BEGINS_WITH_YES = new RegExp(String.raw`^${YES_WORD}\b`);
const NO =
  /^(?:(?:ok|okay|oh|well|please|fine|sorry|hm+|thanks|thank you|right now|actually|i'd|i)[ ,.!]+)*(?:no(?! (?:problem|worries|doubt))|nope|nah|not|don't|do not|rather not|wait|hold on|hang on)\b/;
const SAYS_BUT = new RegExp(String.raw`^(?:${YES_WORD},? but|actually|sorry|oops)\b[^?]*$`);
const NEVER_MIND =
  /\b(?:never ?mind|forget (?:it|about it|that)|leave it|doesn't matter|not anymore)\b|^(?:stop|cancel(?: that| it| this)?|abort)(?: please)?[.!]*$/;
/** At its end, a message takes back what it said before. */
const RETRACTS = /\b(?:never ?mind|forget (?:it|about it|that)|(?:don't|do not))[.! ]*$/;
/** "Book tomorrow at 10? No thanks": the question is answered by who asked it. */
const OWN_ANSWER = /\? ?no(?:,? (?:thanks|thank you))?[.! ]*$/;
/** "Book tomorrow at 10, will it hurt? No": what is answered there is not whether to book. */
const ASIDE =
  /(?:[,;:] ?|(?:\b(?:and|but)|[\u2013\u2014-]) )(?:and |but |also )?((?:(?:will|does|is|are) (?:it|there|the|they|he|she)|(?:do|should|must|will) i (?:need|have|bring|pay))\b[^,;:]*)$/;
const ABOUT_THE_ORDER =
  /\b(?:ok|okay|fine|possible|works?|suits?|right|good|great|better|free|available|availability|open|taken|too|times?|slots?|places?|spots?|room|chance|there (?:any|some)thing|confirmed|booked)\b|^(?:is|will) it (?:be )?(?:really )?(?:necessary|needed)$|^do i (?:need|have) to(?: do (?:it|that|this))?$/;
const ORDER_VERB = /\b(?:book|schedule|reserve|cancel|move|reschedule|confirm)\b/;
const CHOICE =
  /\b(?:first|second|third|fourth|fifth|last|latter|former|both|earlier one|later one)\b|^(?:the|my|for) (?:\S+ ?){1,3}$/;
const ALL_OF_THEM = /^(?:all|everything)\b/;
const NUMBER_ONLY = new RegExp(String.raw`^(?:(?:at|around|about|maybe|number|no\.?) ?|#)?${NUMBER}\b.{0,12}$`);
/** What was done was not what was meant. */
const REGRETS =
  /\b(?:the other(?: one)?[.! ]*$|wrong (?:one|appointment|day|time)|not (?:that|this) one|undo|did(?:n't| not) (?:mean|want) (?:that|it|this)|i meant (?:the|my)\b)/;
const TIME_WORD = String.raw`(?:at|on|in|about|around|maybe|next|this|the|to(?:day|morrow)|(?:mon|tues|wednes|thurs|fri|satur|sun)day|noon|midday|morning|afternoon|evening|half|quarter|past|to|o'clock|\d{1,2}(?:[:.]\d\d)?(?: ?[ap]m)?|\d{1,2}(?:st|nd|rd|th)|please|then)`;
const ONLY_A_TIME = new RegExp(String.raw`^(?:${TIME_WORD}[ ,.]*){1,8}$`);
const OTHER_WISH = /\b(?:want|need|prefer|like|rather(?: have)?) an? /;
const ANY_ANSWER = anyOf(SPEAKS_OF_TIME, BEGINS_WITH_YES, NO, NEVER_MIND, CHOICE, ALL_OF_THEM, NUMBER_ONLY, OTHER_WISH, REGRETS);
const SHORT = 160;

/** The whole message is a yes: with a but, a question or another wish in it, it is none. */
export function saysYes(text: string): boolean {
  return YES.test(text);
}

/** A yes beyond doubt: "ok, bye" only takes note. */
export function saysPlainYes(text: string): boolean {
  return /^(?:yes|yep|yeah|yup|sure|please)\b/.test(text) && saysYes(text);
}

/** The message begins with a no: "no problem" is none. */
export function saysNo(text: string): boolean {
  return NO.test(text);
}

/** "At 11", "Friday 10:30 please". */
export function saysOnlyATime(text: string): boolean {
  return ONLY_A_TIME.test(text);
}

/** "Yes, but at 11", "actually, Friday": what follows is another wish. */
export function saysBut(text: string): boolean {
  return SAYS_BUT.test(text);
}

/** "No, the other one", "can you undo that?" */
export function regrets(text: string): boolean {
  return REGRETS.test(text);
}

/** "Never mind", "forget it", "cancel that". */
export function takesBack(text: string): boolean {
  return NEVER_MIND.test(text);
}

function isAside(question: string): boolean {
  const aside = ASIDE.exec(question.slice(-SHORT))?.[1];
  return aside !== undefined && ![ABOUT_THE_ORDER, ORDER_VERB, SPEAKS_OF_TIME].some((pattern) => pattern.test(aside));
}

/** "Cancel it. No, don't.", "cancel it? No." */
export function retracts(text: string): boolean {
  if (RETRACTS.test(text)) return true;
  const end = text.search(OWN_ANSWER);
  if (end < 0) return false;
  const asked = text.slice(0, end).split(/[.!?] /);
  const question = asked.at(-1) ?? '';
  return ORDER_VERB.test(question) && !isAside(question);
}

/**
 * Whether a message without a wish of its own may answer a question asked before: cheap, since only then the
 * transcript is read.
 */
export function mayAnswer(text: string): boolean {
  if (text.length > SHORT) return false;
  return ANY_ANSWER.test(text);
}
