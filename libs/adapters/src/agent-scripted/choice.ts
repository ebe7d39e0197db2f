import type { AppointmentSummary } from '@ports/agent.port';
import { described } from './appointments.js';
import { type When, dayAndTime } from './when.js';

export interface Hints {
  /** Everything said about it, and the message to answer alone, as `readable` leaves them. */
  readonly text: string;
  readonly latest: string;
  /** Day and time by which the appointment itself was named. */
  readonly when: When;
  /** Whether the question was which of the ones listed. */
  readonly wasListed: boolean;
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

function isNamed({ service }: AppointmentSummary, text: string): boolean {
  const words = service.toLowerCase().replace(/[_-]+/g, ' ').trim();
  return words !== '' && words !== 'appointment' && text.replace(/[_-]+/g, ' ').includes(words);
}

function fits({ startsAt, timeZone }: AppointmentSummary, { day, time }: When, zone: string): boolean {
  return [zone, timeZone].some((each) => {
    const at = dayAndTime(startsAt, each);
    const sameDay = day === null || (day.year === at.day.year && day.month === at.day.month && day.day === at.day.day);
    return sameDay && (time === null || (time.hour === at.time.hour && time.minute === at.time.minute));
  });
}

function lastSpokenOf(candidates: readonly AppointmentSummary[], { spoken, zone }: Hints): AppointmentSummary | undefined {
  for (const content of spoken) {
    const named = candidates.filter((candidate) => content.includes(described(candidate, zone)));
    if (named.length > 1) return undefined;
    if (named[0] !== undefined) return named[0];
  }
  return undefined;
}

/** Which of the candidates (at least one, soonest first) somebody means. */
export function choose(candidates: readonly AppointmentSummary[], hints: Hints): Choice {
  const listed = hints.wasListed ? byPlace(candidates, hints.latest) : undefined;
  if (listed !== undefined) return { kind: 'one', appointment: listed };
  const called = candidates.filter((candidate) => isNamed(candidate, hints.text));
  const pool = called.length > 0 ? called : candidates;
  const isDated = hints.when.day !== null || hints.when.time !== null;
  const dated = isDated ? pool.filter((candidate) => fits(candidate, hints.when, hints.zone)) : pool;
  if (dated.length === 0) return { kind: 'mismatch' };
  const [only] = dated;
  if (dated.length === 1 && only !== undefined) return { kind: 'one', appointment: only };
  const spokenOf = hints.wasListed ? undefined : lastSpokenOf(dated, hints);
  return spokenOf === undefined ? { kind: 'many', appointments: dated } : { kind: 'one', appointment: spokenOf };
}
