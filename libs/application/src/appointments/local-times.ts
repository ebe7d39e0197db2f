const FIELDS = {
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
} as const;
const DAY_MS = 86_400_000;
const SECOND_MS = 1_000;

/** How far a zone is ahead of UTC at an instant, in milliseconds. */
export function offsetAt(zone: string, at: number): number {
  const format = new Intl.DateTimeFormat('en-US', { ...FIELDS, timeZone: zone, hourCycle: 'h23', calendar: 'iso8601' });
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const [year = 0, month = 1, ...time] = (['year', 'month', 'day', 'hour', 'minute', 'second'] as const).map((part) =>
    parts.get(part),
  );
  return Date.UTC(year, month - 1, ...(time as number[])) - Math.floor(at / SECOND_MS) * SECOND_MS;
}

/** The instants of a local time (given as if UTC), earlier first: none in a gap, two in an overlap. */
export function instantsOfLocalTime(zone: string, local: number): readonly number[] {
  const offsets = new Set([local - DAY_MS, local, local + DAY_MS].map((at) => offsetAt(zone, at)));
  return [...offsets]
    .map((offset) => local - offset)
    .filter((at) => at + offsetAt(zone, at) === local)
    .sort((one, other) => one - other);
}
