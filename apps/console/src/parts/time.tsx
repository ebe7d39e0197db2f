import { useId } from 'preact/hooks';

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
];

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const absolute = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

interface TimeProps {
  readonly at: string | null | undefined;
  /** Where there is room for all three as text. */
  readonly whole?: boolean;
}

/** "3 minutes ago", the viewer's own time and UTC. */
export function Time({ at, whole = false }: TimeProps) {
  if (!at) return <>–</>;
  if (!whole) return <BriefTime at={at} />;
  const date = new Date(at);
  return (
    <time dateTime={at}>
      {absolute.format(date)} ({ago(date)}) <span class="muted">{utc(date)}</span>
    </time>
  );
}

/** "3 minutes ago", which leads to the rest; a table has room for the viewer's own time, too. */
function BriefTime({ at }: { readonly at: string }) {
  const id = useId();
  const date = new Date(at);
  const local = absolute.format(date);
  return (
    <span class="time">
      <button type="button" popovertarget={id}>
        <time dateTime={at}>{ago(date)}</time>
      </button>
      <small class="muted">{local}</small>
      <span id={id} popover="auto" class="card small">
        {local}
        <br />
        {utc(date)}
      </span>
    </span>
  );
}

/** To the second, in a form that every viewer reads alike. */
function utc(date: Date): string {
  return `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
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
