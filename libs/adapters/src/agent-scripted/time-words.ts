import { NUMBER, NUMBER_WORDS, numberOf } from './numbers.js';

const MINUTES: Record<string, number> = {
  'oh five': 5,
  five: 5,
  ten: 10,
  fifteen: 15,
  twenty: 20,
  'twenty-five': 25,
  thirty: 30,
  forty: 40,
  'forty-five': 45,
  fifty: 50,
  half: 30,
  quarter: 15,
  'a quarter': 15,
};
const PART = Object.keys(MINUTES)
  .toSorted((a, b) => b.length - a.length)
  .join('|');
const HALF_OF_DAY = String.raw`(?:\b|(?=[ap]\.?m\b))( ?[ap]\.?m\b\.?)?`;
/** "half past ten", "quarter to 3", "at ten past four", "at 10 to 3"; "from 10 to 3" is none. */
const PAST_OR_TO = new RegExp(
  String.raw`\b(?:(half|a quarter|quarter) (past|to|after)|(?:(?<=\b(?:at|for|say) )(${PART}|5|10|20|25)|(${PART}|5|10|20|25) minutes?) (past|to|after)) (${NUMBER})${HALF_OF_DAY}`,
  'g',
);
/** "half three", as it is said where it means half past. */
const HALF_PAST = new RegExp(
  String.raw`(?<=^|\b(?:at|it|to|for|about|around|say|no|sorry|wait),? )half (${NUMBER})${HALF_OF_DAY}(?! (?:minutes?|hours?|days?))`,
  'g',
);
/** "ten thirty". */
const SPOKEN = new RegExp(
  String.raw`\b(${NUMBER_WORDS}) (oh five|fifteen|twenty-five|twenty|thirty|forty[- ]five|forty|fifty)\b(?! (?:minutes?|hours?|days?|people)\b)${HALF_OF_DAY}`,
  'g',
);
const DAY_WORD = '(?:today|tonight|tomorrow|in the|on|this|next|mon|tue|wed|thu|fri|sat|sun)';
/** "for 9 tomorrow", "make it 11", "do 11 instead". */
const BARE = new RegExp(
  String.raw`\b(?:(?<=\b(?:in|it|me|us|appointment|slot) )for|(?<=\bmake (?:it|that)(?: to)?)|(?<=\bdo|\btry|\bexactly|\bcorrect (?:it|that) to|\bis)) (${NUMBER})(?= ${DAY_WORD}|(?: instead| please| then| possible| would be better| is better)|[.,!?]| ?$)`,
  'g',
);
const BETTER = new RegExp(String.raw`(?<!(?:at|[\d:./-]) ?)\b(${NUMBER})(?= (?:would be|is|works|suits me) better\b)`, 'g');
const ZONE_FIRST = /\b(utc|gmt|[ecmp][sd]t|cet|cest|bst) (\d{1,2}(?::\d\d)?(?: ?[ap]m)?)(?![\d:])/g;

/** "2026-03-05 10:00-05:00" ends with an offset; "10:00-11:00" is from one time to another. */
const ISO_MOMENT = /\b(\d{4}-\d\d-\d\d) (\d\d:\d\d)(:\d\d)? ?([+-])(\d\d:\d\d)\b/g;

function clock(hour: number, minute: number, half: string | undefined): string {
  return `${hour}:${String(minute).padStart(2, '0')}${half ?? ''}`;
}

function spokenTime(part: string, word: string, hour: number, half: string | undefined): string {
  const minute = MINUTES[part] ?? Number(part);
  return word === 'to' ? clock((hour + 11) % 12 || 12, 60 - minute, half) : clock(hour, minute, half);
}

function isoMoment(whole: string, day: string, time: string, seconds = '', sign = '', offset = ''): string {
  return sign === '-' && time < offset ? whole : `${day}t${time}${seconds}${sign}${offset}`;
}

function fromFigures(whole: string, hour: string, minute: string): string {
  return Number(hour) < 24 ? `at ${hour}:${minute}` : whole;
}

/** Writes the times of day that the parser does not know as a clock shows them. */
export function withPlainTimes(text: string): string {
  return text
    .replace(ISO_MOMENT, isoMoment)
    .replace(/\b(?:right )?now\b/g, '')
    .replace(/\bthis (?=morning|afternoon|evening)/g, 'today in the ')
    .replace(PAST_OR_TO, (_, a?: string, b?: string, c?: string, d?: string, e?: string, hour = '', half?: string) =>
      spokenTime(a ?? c ?? d ?? '', b ?? e ?? '', numberOf(hour), half),
    )
    .replace(HALF_PAST, (_, hour: string, half?: string) => clock(numberOf(hour), 30, half))
    .replace(SPOKEN, (_, hour: string, part: string, half?: string) =>
      clock(numberOf(hour), MINUTES[part.replace(' f', '-f')] ?? 5, half),
    )
    .replace(/\b(\d{1,2})h(\d\d)?\b/g, (_, hour: string, minute = '00') => `${hour}:${minute}`)
    .replace(/\bat (\d{1,2})([0-5]\d)\b(?![:./-])/g, fromFigures)
    .replace(BARE, (_, hour: string) => ` at ${numberOf(hour)}`)
    .replace(BETTER, (_, hour: string) => `at ${numberOf(hour)}`)
    .replace(new RegExp(`\\b(${NUMBER_WORDS})(?= ?(?:am|pm|a\\.m|p\\.m|o'clock)\\b)`, 'g'), (word) => String(numberOf(word)))
    .replace(new RegExp(`\\bat (${NUMBER_WORDS})\\b`, 'g'), (_, word: string) => `at ${numberOf(word)}`)
    .replace(ZONE_FIRST, '$2 $1');
}
