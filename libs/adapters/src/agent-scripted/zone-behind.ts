import type { casual } from 'chrono-node/en';
import { FixedOffsetZone } from 'luxon';
import { NUMBER_WORDS } from './numbers.js';
import { MONTH_BEGINS, VISIT } from './vocabulary.js';

type Refiner = (typeof casual.refiners)[number];
type Context = Parameters<Refiner['refine']>[0];
type Parsed = Parameters<Refiner['refine']>[1][number];

const TAG = 'zone ';
export const UNKNOWN = '?';
/** What shows another time in summer, by the clock it is. */
const CLOCKS: Record<string, string> = {
  et: 'America/New_York',
  ct: 'America/Chicago',
  mt: 'America/Denver',
  pt: 'America/Los_Angeles',
  cet: 'Europe/Berlin',
};
/** "10am CT scan" and "10am PT session" name what is wished for. */
const TREATMENT = new RegExp(
  `^[ -](?:${VISIT}|scans?|scanning|imaging|exams?|examinations?|tests?|eval\\w*|assessments?|therap\\w+|treatments?|class(?:es)?)\\b`,
);
/** "10am, eat before": zones that are other words as well. */
const WORD = /^(?:eat|wat|west|wet|wit|wt)$/;
/** "10am vet": could be either of both. */
const SERVICE = /^(?:aft|art|bot|cast|cat|cot|east|get|hat|hay|lint|mart|nut|pet|ret|vet)$/;
/** "7pm +1" brings a guest. */
const GUESTS = /^[^a-z]*[+-]\d{1,2}$/;
const ENDS = new RegExp(
  `^(?: ?$|[),.;!?]| [(\\d]| ${MONTH_BEGINS}| in (?:\\d|an? |${NUMBER_WORDS})| (?:on|to|please|thanks|to(?:day|night|morrow)|next|this|(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?)\\b)`,
);

/** The zone that is written behind a time, or null where no zone is meant. */
function zoneMeant({ start }: Parsed, offset: number, written: string, after: string): string | null {
  const word = /[a-z]+/.exec(written)?.[0] ?? '';
  if (GUESTS.test(written)) return null;
  if (/^[cp]t$/.test(word) && TREATMENT.test(after)) return null;
  const isService = SERVICE.test(word);
  if (isService || WORD.test(word)) {
    const endsThere = ENDS.test(after) || (!isService && after.startsWith(' for '));
    if (!start.isCertain('hour') || written.includes(',') || !endsThere) return null;
    if (isService) return UNKNOWN;
  }
  return CLOCKS[word] ?? FixedOffsetZone.instance(offset).name;
}

function note(refiner: Refiner, context: Context, parsed: Parsed): void {
  if (parsed.start.isCertain('timezoneOffset')) return;
  const read = parsed.clone();
  refiner.refine(context, [read]);
  const offset = read.start.isCertain('timezoneOffset') ? read.start.get('timezoneOffset') : null;
  if (offset === null) return;
  const after = context.text.slice(parsed.index + read.text.length).toLowerCase();
  const zone = zoneMeant(parsed, offset, read.text.slice(parsed.text.length).toLowerCase(), after);
  if (zone === null) return;
  parsed.text = read.text;
  parsed.addTag(TAG + zone);
}

/** The parser compares days by the machine's own clock: what it is told of zones is kept from it and noted beside. */
export function notingZones(refiner: Refiner): Refiner {
  if (!refiner.constructor.name.startsWith('ExtractTimezone')) return refiner;
  return {
    refine(context, results) {
      for (const parsed of results) note(refiner, context, parsed);
      return results;
    },
  };
}

/** The zone noted beside a time: `UNKNOWN` where it is doubtful whether one is meant. */
export function zoneNoted(parts: { tags(): Set<string> }): string | null {
  return [...parts.tags()].find((tag) => tag.startsWith(TAG))?.slice(TAG.length) ?? null;
}
