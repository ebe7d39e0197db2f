import { MINUTE_MS } from '@ports/time-units';
import { NUMBERS, numberOf } from './numbers.js';

/** How far something is moved. A day later is the same time of the next day, however long the night. */
export interface Shift {
  readonly days: number;
  readonly milliseconds: number;
}

/** The durations a text names, each by what it is for, and the text without them. */
interface Durations {
  readonly rest: string;
  /** How long something lasts. */
  readonly minutes: number | null;
  /** How long from now, in milliseconds: "in two hours". */
  readonly fromNow: number | null;
  readonly shift: Shift | null;
}

const TENS: Record<string, number> = {
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  forty: 40,
  'forty-five': 45,
  fifty: 50,
  sixty: 60,
  ninety: 90,
};
export const UNIT_DAYS: Record<string, number> = { day: 1, week: 7 };
const [SHORTEST, LONGEST] = [5, 1440];

export const AMOUNT = String.raw`\d{1,3}(?:[.,]\d{1,2})?|half an?|half|an?|${[...Object.keys(TENS), ...NUMBERS].join('|')}`;
const HALF = '(?: and a half)?';
const SPELLED = new RegExp(
  String.raw`(?<![\d.,:/-])\b(${AMOUNT})(${HALF})(?:(?<=\d)|[ -])(?:[ -])?(min|hour|hr)(?:ute)?s?\b(${HALF})(?:,? (?:and )?(\d{1,2}) min(?:ute)?s?\b)?(?:[ -]long\b)?`,
  'g',
);
/** "10h" is ten o'clock unless something takes so long. */
const SHORT = /\b(for|lasting|taking|in) (\d{1,2})h(\d\d)?\b/g;

const FROM_NOW = /\b(?:in|within) (?:about )?(\d+) minutes\b|\b(\d+) minutes from now\b/;
const STEP = String.raw`(?<amount>${AMOUNT}|\d+) (?<unit>minute|day|week)s?\b`;
/** "I'll be out a week" tells of something else. */
const PUSHED = String.raw`(?<=\b(?:push|postpone|delay|move|shift)\b[^.,;:!?]{0,40} )`;
/** "two hours later", "back by a week", "out a week", "forward 30 minutes", "push it a week". */
const STEPS = [
  new RegExp(String.raw`\b${STEP} (?:later|earlier)\b`, 'g'),
  new RegExp(String.raw`${PUSHED}${STEP} out\b`, 'g'),
  new RegExp(String.raw`${PUSHED}out (?:by )?${STEP}`, 'g'),
  new RegExp(
    String.raw`\b(?:(?:back|forward|up) (?:by )?|by |(?<=\b(?:push|postpone|delay) (?:it|that|this|them) ))${STEP}`,
    'g',
  ),
  new RegExp(
    String.raw`(?<=\b(?:push|postpone|delay) )${STEP}(?= ?(?:[,.!?;]|$)| (?:please|instead|then|if|because|as|since|and|so|thanks)\b)`,
    'g',
  ),
];
const TO_EARLIER = /\b(?:earlier|forward|up)\b/;
const NEXT_DAY = /\b(?:on )?(?:the )?(?:next|following) day\b|\bthe day after\b(?! (?:tomorrow|next|the|my)\b)/g;
const LASTING =
  /(?<!\b(?:every|last|next|after|before|than) )(?:\b(?:for|lasting|taking) (?:about )?)?\b(\d+) minutes\b(?! (?:before|after|ago|from|past|to)\b)/g;

function valueOf(amount: string): number {
  if (amount.startsWith('half')) return 0.5;
  return TENS[amount] ?? numberOf(amount.replace(',', '.'));
}

/** Every length in hours and minutes, however it is spelled, as "90 minutes". */
function inMinutes(text: string): string {
  return text
    .replace(
      SHORT,
      (_, before: string, hours: string, minutes = '0') => `${before} ${Number(hours) * 60 + Number(minutes)} minutes`,
    )
    .replace(SPELLED, (_, amount: string, half: string, unit: string, halfMore: string, more = '0') => {
      const count = valueOf(amount) + (half + halfMore === '' ? 0 : 0.5);
      return `${Math.round(count * (unit === 'min' ? 1 : 60)) + Number(more)} minutes`;
    });
}

function shiftIn(text: string): Shift | null {
  const [found] = STEPS.flatMap((pattern) => [...text.matchAll(pattern)]);
  if (found === undefined) return text.search(NEXT_DAY) < 0 ? null : { days: 1, milliseconds: 0 };
  const { amount = '', unit = '' } = found.groups ?? {};
  const step = TO_EARLIER.test(found[0]) ? -valueOf(amount) : valueOf(amount);
  const days = UNIT_DAYS[unit];
  return days === undefined ? { days: 0, milliseconds: step * MINUTE_MS } : { days: step * days, milliseconds: 0 };
}

/** What a text says of lengths, of a time from now and of a move by so much, and what is left of it. */
export function durationsIn(text: string): Durations {
  const spelled = inMinutes(text);
  const shift = shiftIn(spelled);
  const unshifted = [...STEPS, NEXT_DAY].reduce((rest, pattern) => rest.replaceAll(pattern, ' '), spelled);
  const fromNow = FROM_NOW.exec(unshifted);
  const still = unshifted.replace(FROM_NOW, ' ');
  const lengths = [...still.matchAll(LASTING)].map((found) => Number(found[1]));
  return {
    rest: still.replace(LASTING, ' ').replace(/ {2,}/g, ' '),
    minutes: lengths.find((minutes) => minutes >= SHORTEST && minutes <= LONGEST) ?? null,
    fromNow: fromNow === null ? null : Number(fromNow[1] ?? fromNow[2]) * MINUTE_MS,
    shift,
  };
}
