export type PartOfDay = 'morning' | 'afternoon' | 'evening' | 'night';

export interface TimeOfDay {
  readonly hour: number;
  readonly minute: number;
  /** The hour as it was said, where it is left to the part of the day which one is meant. */
  readonly openHour?: number;
}

interface Mention {
  readonly part: PartOfDay;
  /** Where it stands in the text that is left. */
  readonly at: number;
}

export interface WithParts {
  /** Without "in the evening" and "at night", which the parser does not read. */
  readonly rest: string;
  readonly mentions: readonly Mention[];
}

const GREETING =
  /\b(?:good|nice|lovely|great|pleasant) (?:morning|afternoon|evening|night)\b|^(?:morning|evening)(?= ?!| ?[,.] ?\S)/g;
const MENTION =
  /( ?\bin the | ?\bat )?(?:\b(morning|afternoon|evening)\b|(?<=\b(?:in the|at|this|tomorrow|\w+day) )(night)\b|\b(tonight)\b)/g;

/** "Good evening" says nothing about when. */
export function withoutGreetings(text: string): string {
  return text.replace(GREETING, ' ');
}

/** The parts of the day that a text names, each with its place in what is left of the text. */
export function partsOfDayIn(text: string): WithParts {
  let rest = '';
  let read = 0;
  const mentions: Mention[] = [];
  for (const { index, 0: written, 1: before, 2: named } of text.matchAll(MENTION)) {
    const kept = before === undefined ? written : '';
    rest += text.slice(read, index) + kept;
    read = index + written.length;
    mentions.push({ part: (named as PartOfDay | undefined) ?? 'night', at: rest.length - kept.length });
  }
  return { rest: rest + text.slice(read), mentions };
}

/** The part of the day that stands nearest to a place of the text. */
export function nearestPart(mentions: readonly Mention[], at: number): PartOfDay | null {
  const [nearest] = mentions.toSorted((one, other) => Math.abs(one.at - at) - Math.abs(other.at - at));
  return nearest?.part ?? null;
}

/** One to six without am or pm is in the afternoon. */
export function afternoon(hour: number): number {
  return hour >= 1 && hour <= 6 ? hour + 12 : hour;
}

/** The hour that is meant by a bare one. Twelve in the evening is the end of the day; "one at night" could be either end. */
function hourIn(part: PartOfDay | null, hour: number): number | null {
  if (part === null) return afternoon(hour);
  if (part === 'morning' || hour > 12) return hour;
  if (part === 'afternoon') return hour >= 1 && hour <= 11 ? hour + 12 : hour;
  if (hour === 12 || hour === 0) return 24;
  return part === 'night' && hour < 5 ? null : hour + 12;
}

/** A time of day as the part of the day has it that was named before or after. */
export function inPart(time: TimeOfDay | null, part: PartOfDay | null): TimeOfDay | null {
  if (time?.openHour === undefined) return time;
  const hour = hourIn(part, time.openHour);
  return hour === null || (hour === 24 && time.minute > 0) ? null : { ...time, hour };
}

const NOON = 12;
const EVENING = 18;
const HOURS: Record<PartOfDay, readonly [number, number]> = {
  morning: [0, NOON],
  afternoon: [NOON, EVENING],
  evening: [EVENING, 24],
  night: [EVENING, 24],
};

function isWithin(part: PartOfDay, { hour }: TimeOfDay): boolean {
  const [from, to] = HOURS[part];
  return hour >= from && hour < to;
}

interface Moved {
  readonly day: unknown;
  readonly time: TimeOfDay | null;
  readonly part: PartOfDay | null;
  readonly shift: { readonly milliseconds: number } | null;
}

/**
 * The time something is moved to, or null where only a part of the day was named and the old time lies outside it. An
 * evening appointment that is moved by an hour alone stays in the evening.
 */
export function movedTime({ day, time, part, shift }: Moved, old: TimeOfDay): TimeOfDay | null {
  const isShifted = shift !== null && shift.milliseconds !== 0;
  if (time === null) return part === null || isShifted || isWithin(part, old) ? old : null;
  const isHourAlone = time.openHour !== undefined && day === null && part === null;
  return isHourAlone && time.hour > 0 && time.hour < 12 && old.hour >= EVENING ? { ...time, hour: time.hour + 12 } : time;
}
