const REGIONS: Record<string, string> = {
  eastern: 'America/New_York',
  central: 'America/Chicago',
  mountain: 'America/Denver',
  pacific: 'America/Los_Angeles',
  uk: 'Europe/London',
  german: 'Europe/Berlin',
};
const NAMED = /\b(\d{1,2}(?:[:.]\d\d)?(?: ?[ap]\.?m\b\.?)?|noon|midday|o'clock) (?:in )?((?:[a-z]+ ){1,3})time\b/;
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

export function zoneWordIn(text: string): ZoneWord {
  const found = NAMED.exec(text);
  const name = found?.[2]?.trim() ?? '';
  if (found === null || NO_NAME.test(name)) return { rest: text, zone: null, isUnknown: false };
  const zone = zoneCalled(name);
  return { rest: text.replace(NAMED, '$1'), zone, isUnknown: zone === null };
}
