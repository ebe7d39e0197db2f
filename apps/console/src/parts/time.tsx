const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
];

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const absolute = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** "3 minutes ago", with the viewer's own time and UTC when pointed at. */
export function Time({ at, whole = false }: { readonly at: string | null | undefined; readonly whole?: boolean }) {
  if (!at) return <>–</>;
  const date = new Date(at);
  const local = absolute.format(date);
  return (
    <time dateTime={at} title={`${local} · ${at}`}>
      {whole ? `${local} (${ago(date)})` : ago(date)}
    </time>
  );
}

function ago(date: Date): string {
  const difference = date.getTime() - Date.now();
  const [unit, size] = UNITS.find(([, each]) => Math.abs(difference) >= each) ?? (['second', 1_000] as const);
  return relative.format(Math.round(difference / size), unit);
}

const counts = new Intl.NumberFormat();

/** In the viewer's form. */
export function formatCount(count: number): string {
  return counts.format(count);
}

export function formatDuration(ms: number | null | undefined): string {
  if (ms === null || ms === undefined) return '–';
  return ms < 1_000 ? `${formatCount(Math.round(ms))} ms` : `${formatCount(Math.round(ms / 10) / 100)} s`;
}
