import { IANAZone } from 'luxon';
import { MONTH_BEGINS } from './vocabulary.js';

const REGIONS: Record<string, string> = {
  eastern: 'America/New_York',
  central: 'America/Chicago',
  mountain: 'America/Denver',
  pacific: 'America/Los_Angeles',
  uk: 'Europe/London',
  german: 'Europe/Berlin',
};
const CLOCK = String.raw`\d{1,2}(?:[:.]\d\d)?(?: ?[ap]\.?m\b\.?)?|noon|midday|o'clock`;
const NAMED = new RegExp(String.raw`\b(${CLOCK}) (?:in )?((?:[a-z]+ ){1,3})time\b`);
/** "10am Europe/Berlin", "10am Eastern". */
const BARELY_NAMED = new RegExp(
  String.raw`\b(${CLOCK}) \(?((?:[a-z]+\/[a-z_]+(?:\/[a-z_]+)?)\b|(?:eastern|central|mountain|pacific)(?= ?(?:$|[,.;!?)]| on | tomorrow\b)))\)?`,
);
const BEGINS_WITH_MONTH = new RegExp(`^ ${MONTH_BEGINS}`);
/** "10am my time", "10 is a good time": no zone is named. */
const NO_NAME =
  /^(?:my|our|your|the|local|this|that|same|any|some|next|first|last|a|is|are|was|would|works|suits|for|at|on|of|or|and|if|every|each|with|this)\b/;

/** A time's zone as it is named: "10am Berlin time". */
export interface ZoneWord {
  readonly rest: string;
  readonly zone: string | null;
  readonly isUnknown: boolean;
}

function zoneCalled(name: string): string | null {
  const city = `/${name.replaceAll(' ', '_')}`;
  return REGIONS[name] ?? Intl.supportedValuesOf('timeZone').find((zone) => zone.toLowerCase().endsWith(city)) ?? null;
}

/** The text without its zone; "at 9 Berlin time, March 5" is not the ninth of March. */
function withoutZone(text: string, pattern: RegExp): string {
  return text.replace(pattern, (whole: string, clock: string, _: string, at: number) =>
    BEGINS_WITH_MONTH.test(text.slice(at + whole.length)) ? `${clock},` : clock,
  );
}

/** The zone that a text names with a time, and the text without it. */
export function zoneWordIn(text: string): ZoneWord {
  const found = NAMED.exec(text);
  const name = found?.[2]?.trim() ?? '';
  if (found === null || NO_NAME.test(name)) return barelyNamed(text);
  const zone = zoneCalled(name);
  return { rest: withoutZone(text, NAMED), zone, isUnknown: zone === null };
}

function barelyNamed(text: string): ZoneWord {
  const name = BARELY_NAMED.exec(text)?.[2] ?? '';
  const zone = REGIONS[name] ?? (name.includes('/') && IANAZone.isValidZone(name) ? name : null);
  return { rest: zone === null ? text : withoutZone(text, BARELY_NAMED), zone, isUnknown: false };
}
