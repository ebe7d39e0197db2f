import { AMOUNT } from './durations.js';
import { NUMBER } from './numbers.js';
import { MONTH_BEGINS, WHEN } from './vocabulary.js';

const DENIED =
  /\b(?:not|(?<!why )don't(?! (?:you|we|i)\b)|(?<!\b(?:can't|cannot|won't|to) )keep|except|excluding|apart from|other than|rather than|instead of)\b(?:\.(?=\d)|[^,.;!?\n])*?(?= but\b|[,;!?\n]|\.(?!\d)|$)/g;
const CLOCK = String.raw`(?:(?:${NUMBER}(?:[:.]\d\d)?(?: ?[ap]\.?m\b\.?| o'clock)?)|noon|midday|lunch|lunchtime)`;
/** "before noon", "between 2 and 3pm": room for a time, but no time. */
const WINDOW = new RegExp(
  String.raw`\b(?:any ?time )?(?:before|after|between) ${CLOCK}(?: and ${CLOCK})?\b(?!\d|[./-]\d| (?:minutes|hours|days|weeks)|(?:st|nd|rd|th)\b| (?:of )?${MONTH_BEGINS})`,
  'g',
);
/** "at 3 or 4". */
const EITHER = new RegExp(String.raw`\b(?:at )?${CLOCK} or (?:at )?${CLOCK}(?![\d:./-])`, 'g');
const CORRECTING = /\b(?:no|sorry|oops|wait|i meant?|or rather|correction|scratch that|actually)\b|(?=\bmake (?:it|that)\b)/;

const I_AM = "(?:i'm|i am|we're|we are|(?:i|we)(?:'ll| will) be)";
const AWAY = String.raw`${I_AM} (?:busy|away|out(?: of (?:town|office|the office|the country))?|working|travell?ing|on (?:holidays?|vacation|leave))`;
/** "I'll be away for a week", "I'm sick today": why something is moved, not where to. */
const ABSENT = new RegExp(
  String.raw`\b(?:${AWAY}(?: for)?(?: about)? (?:${AMOUNT}) (?:day|week|month)s?|${I_AM} (?:sick|ill|unwell) today(?: and tomorrow)?)\b`,
  'g',
);
/** "I can't tomorrow", "I'm busy in the morning": when somebody has no time. */
const ENGAGED = new RegExp(
  String.raw`\b(?:can't|cannot|can not|won't|${AWAY})(?: be able to)?(?: (?:do|make|come|attend|make it|come in))?(?: (?:on|at|in|for|before|until|from))?(?= (?:${WHEN}|the (?:morning|afternoon|evening)|${MONTH_BEGINS}))[^,.;:!?\n]*?(?= (?:but|so|and(?! (?:on )?${WHEN}(?: ?[,.;:!?\n]| (?:but|so|can|could|please|move|reschedule)\b|$))|can|could|please|move|reschedule)\b|[,.;:!?\n]|$)`,
  'g',
);

const MOST_CORRECTIONS = 6;

/** A text without what it denies: "not on Monday", "except the first". */
export function affirmed(text: string): string {
  return text.replace(DENIED, ' ');
}

/** A text without what only tells why somebody cannot come. */
export function withoutAbsences(text: string): string {
  return text.replace(ABSENT, ' ');
}

/** A text without the times at which somebody cannot come. */
export function withoutEngagements(text: string): string {
  return text.replace(ENGAGED, ' ');
}

/** A text without "before noon", "between 2 and 3", "at 3 or 4": none of them is a time. */
export function withoutWindows(text: string): string {
  return text.replace(WINDOW, ' ').replace(EITHER, ' ');
}

/** "On Monday, no, on Tuesday": what is said first, and what corrects it. */
export function corrections(text: string): string[] {
  const parts = text.split(CORRECTING);
  return parts.length > MOST_CORRECTIONS ? [text] : parts;
}
