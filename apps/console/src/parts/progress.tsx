import { formatCount } from './time.js';

interface ProgressProps {
  readonly label: string;
  readonly done: number;
  /** Null until it is known. */
  readonly total: number | null;
}

export function Progress({ label, done, total }: ProgressProps) {
  const text = total === null ? formatCount(done) : `${formatCount(done)} / ${formatCount(total)}`;
  return (
    <div class="stack tight">
      <span class="row apart small">
        <span>{label}</span>
        <span>{text}</span>
      </span>
      <progress class="wide" aria-label={label} max={total ?? 1} {...(total === null ? {} : { value: total === 0 ? 1 : done })} />
    </div>
  );
}
