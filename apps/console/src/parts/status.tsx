type Tone = 'good' | 'warn' | 'bad' | '';

/** Shape and tone of every status of the API: the word is always shown, colour only repeats it. */
const SHAPES: Readonly<Record<string, readonly [string, Tone]>> = {
  succeeded: ['●', 'good'],
  completed: ['●', 'good'],
  active: ['●', 'good'],
  enabled: ['●', 'good'],
  confirmed: ['●', 'good'],
  open: ['●', 'good'],
  delivering: ['◑', ''],
  running: ['◑', ''],
  pending: ['○', ''],
  retrying: ['◐', 'warn'],
  rescheduled: ['◆', 'warn'],
  handed_off: ['◆', 'warn'],
  paused: ['■', 'warn'],
  expired: ['□', ''],
  failed: ['▲', 'bad'],
  disabled: ['▽', 'bad'],
  revoked: ['▽', 'bad'],
  cancelled: ['–', ''],
  ended: ['□', ''],
  closed: ['□', ''],
  dismissed: ['–', ''],
  deleted: ['▽', ''],
};

interface StatusProps {
  readonly status: string;
  readonly tone?: Tone;
  /** A status whose shape and tone another word has. */
  readonly like?: string;
}

export function Status({ status, tone, like = status }: StatusProps) {
  const [shape, usual] = SHAPES[like] ?? (['○', ''] as const);
  return (
    <span class={`status ${tone ?? usual}`}>
      <span aria-hidden="true">{shape}</span>
      {status.replaceAll('_', ' ')}
    </span>
  );
}
