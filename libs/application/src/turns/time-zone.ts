/** The zone in which a conversation's times are read: its `metadata.time_zone` when that is one, else UTC. */
export function timeZoneOf(metadata: string): string {
  if (!metadata.includes('"time_zone"')) return 'UTC';
  const { time_zone: zone } = JSON.parse(metadata) as { time_zone?: unknown };
  return typeof zone === 'string' && isTimeZone(zone) ? zone : 'UTC';
}

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
