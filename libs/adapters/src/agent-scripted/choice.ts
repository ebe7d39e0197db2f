import type { AppointmentSummary } from '@ports/agent.port';
import { described } from './appointments.js';
import { type When, dayAndTime } from './when.js';
import { ASK_WHICH } from './wording.js';

export interface Hints {
  /** Everything said about it, and the message to answer alone, as `readable` leaves them. */
  readonly text: string;
  readonly latest: string;
  /** What the order is about, where it is called by a name. */
  readonly object: string | null;
  /** Day and time by which the appointment itself was named. */
  readonly when: When;
  /** Whether the question was which of the ones listed. */
  readonly wasListed: boolean;
  /** Whether the one spoken of last is meant where nothing else is said: "it". */
  readonly meansLast: boolean;
  readonly zone: string;
  /** What the assistant said, newest first. */
  readonly spoken: readonly string[];
}

export type Choice =
  | { readonly kind: 'one'; readonly appointment: AppointmentSummary }
  | { readonly kind: 'many'; readonly appointments: readonly AppointmentSummary[] }
  | { readonly kind: 'mismatch' };

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth'];

function byPlace(candidates: readonly AppointmentSummary[], text: string): AppointmentSummary | undefined {
  const named = ORDINALS.findIndex((ordinal) => new RegExp(`\\b(?:the |my )?${ordinal}\\b`).test(text));
  if (named >= 0) return candidates[named];
  if (/\b(?:last|latter|later one)\b/.test(text)) return candidates.at(-1);
  if (/\b(?:former|earlier one)\b/.test(text)) return candidates[0];
  const number = /^(?:number |no\.? |#)?([1-9])[.!]?$/.exec(text)?.[1];
  return number === undefined ? undefined : candidates[Number(number) - 1];
}

/** What is said is compared without its markup: where markdown is off, the transcript has none. */
function bare(text: string): string {
  return text.replace(/[\\*_`]/g, '');
}

function isSpokenOf(appointment: AppointmentSummary, content: string, zone: string): boolean {
  return bare(content).includes(bare(described(appointment, zone)));
}

/** Those that were listed last, in the order they were listed in. */
function listedOf(candidates: readonly AppointmentSummary[], { spoken, zone }: Hints): AppointmentSummary[] {
  const list = bare(spoken.find((content) => content.trimEnd().endsWith(ASK_WHICH)) ?? '');
  const place = (candidate: AppointmentSummary) => list.indexOf(bare(described(candidate, zone)));
  return candidates.filter((candidate) => place(candidate) >= 0).toSorted((a, b) => place(a) - place(b));
}

/** Words alone, so that one service is not found inside the name of another. */
function wordsOf(text: string): string {
  return ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;
}

/** Whether this text says the service of an appointment, where that says more than that it is one. */
export function namedIn(text: string): (appointment: Pick<AppointmentSummary, 'service'>) => boolean {
  const said = wordsOf(text);
  return ({ service }) => {
    const words = wordsOf(service);
    return !/^ (?:appointment )?$/.test(words) && said.includes(words);
  };
}

/** Whether a word by which something is called is one of an appointment's service. */
export function shares({ service }: AppointmentSummary, object: string): boolean {
  const words = wordsOf(object).trim().split(' ');
  return words.some((word) => word.length > 2 && wordsOf(service).includes(` ${word} `));
}

/** Whether an appointment is at that day and time in the zone that was named, else in the conversation's or in its own. */
export function fits({ startsAt, timeZone }: AppointmentSummary, when: When, zone: string): boolean {
  const { day, time } = when;
  return (when.zone === null ? [zone, timeZone] : [when.zone]).some((each) => {
    const at = dayAndTime(startsAt, each);
    // The end of a day is the beginning of the next.
    const on = time?.hour === 24 ? dayAndTime(startsAt - 60_000, each).day : at.day;
    const sameDay = day === null || (day.year === on.year && day.month === on.month && day.day === on.day);
    return sameDay && (time === null || (time.hour % 24 === at.time.hour && time.minute === at.time.minute));
  });
}

function lastSpokenOf(candidates: readonly AppointmentSummary[], { spoken, zone }: Hints): AppointmentSummary | undefined {
  for (const content of spoken) {
    const named = candidates.filter((candidate) => isSpokenOf(candidate, content, zone));
    if (named.length > 1) return undefined;
    if (named[0] !== undefined) return named[0];
  }
  return undefined;
}

/** Those that what was said names, all of them where it names none, and none where it names something else. */
function calledBy(
  candidates: readonly AppointmentSummary[],
  { text, latest, wasListed, object }: Hints,
): readonly AppointmentSummary[] {
  const answered = wasListed ? candidates.filter(namedIn(latest)) : [];
  if (answered.length > 0) return answered;
  const called = candidates.filter(namedIn(text));
  if (called.length > 0) return called;
  return object === null ? candidates : candidates.filter((candidate) => shares(candidate, object));
}

export function isDated({ day, time }: When): boolean {
  return day !== null || time !== null;
}

/** Which of the candidates (at least one, soonest first) somebody means. */
export function choose(candidates: readonly AppointmentSummary[], hints: Hints): Choice {
  const listed = hints.wasListed ? byPlace(listedOf(candidates, hints), hints.latest) : undefined;
  if (listed !== undefined) return { kind: 'one', appointment: listed };
  const pool = calledBy(candidates, hints);
  if (hints.when.vagueDay !== null) return { kind: 'mismatch' };
  const dated = isDated(hints.when) ? pool.filter((candidate) => fits(candidate, hints.when, hints.zone)) : pool;
  if (dated.length === 0) return { kind: 'mismatch' };
  const [only] = dated;
  if (dated.length === 1 && only !== undefined) return { kind: 'one', appointment: only };
  const spokenOf = hints.meansLast ? lastSpokenOf(dated, hints) : undefined;
  return spokenOf === undefined ? { kind: 'many', appointments: dated } : { kind: 'one', appointment: spokenOf };
}
