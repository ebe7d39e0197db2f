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

/** How far the clocks of a zone are ahead of UTC at an instant, in milliseconds. */
export function offsetAt(zone: string, at: number): number {
  const format = new Intl.DateTimeFormat('en-US', { ...FIELDS, timeZone: zone, hourCycle: 'h23', calendar: 'iso8601' });
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const [year = 0, month = 1, ...time] = (['year', 'month', 'day', 'hour', 'minute', 'second'] as const).map((part) =>
    parts.get(part),
  );
  return Date.UTC(year, month - 1, ...(time as number[])) - Math.floor(at / SECOND_MS) * SECOND_MS;
}

/**
 * The instants at which the clocks of a zone show a local time, which is given as the instant at which those of UTC do. None
 * where the clocks are put forward over it, two where they are put back over it, the earlier first.
 */
export function instantsOfLocalTime(zone: string, local: number): readonly number[] {
  const offsets = new Set([local - DAY_MS, local, local + DAY_MS].map((at) => offsetAt(zone, at)));
  return [...offsets]
    .map((offset) => local - offset)
    .filter((at) => at + offsetAt(zone, at) === local)
    .sort((one, other) => one - other);
}
