import type { ComponentChildren } from 'preact';
import type { components } from '../../api/admin-api.js';
import { Facts } from '../../parts/facts.js';
import { Status } from '../../parts/status.js';
import { Foreign, TextBlock } from '../../parts/text-block.js';
import { formatDuration, Time } from '../../parts/time.js';
import { ONE_DELIVERY_TEXTS } from './texts.js';

export type Attempt = components['schemas']['AttemptResource'];

const TEXTS = ONE_DELIVERY_TEXTS.attempt;

export function Outcome({ of: { outcome } }: { readonly of: Attempt }) {
  return <Status status={outcome} like={outcome === 'succeeded' ? 'succeeded' : 'failed'} />;
}

export function Duration({ of: { duration_ms: duration } }: { readonly of: Attempt }) {
  return <>{duration === null ? TEXTS.cutOff : formatDuration(duration)}</>;
}

/** How long each step took that was made. */
export function Phases({ of: { timings } }: { readonly of: Attempt }) {
  if (!timings) return <>{TEXTS.noTimings}</>;
  const names = Object.keys(TEXTS.phase) as (keyof typeof TEXTS.phase)[];
  const made = names.filter((name) => timings[name] !== null);
  return <>{made.map((name) => `${TEXTS.phase[name]} ${formatDuration(timings[name])}`).join(' · ') || '–'}</>;
}

interface WholeAttemptProps {
  readonly of: Attempt;
  /** Where it was posted; null where that is not kept: the endpoint may have had another address. */
  readonly url: string | null;
}

/** One attempt with all that is kept of it. */
export function WholeAttempt({ of: attempt, url }: WholeAttemptProps) {
  const { host, Host = host } = attempt.request_headers ?? {};
  return (
    <div class="card stack">
      <h3>{TEXTS.heading(attempt.attempt)}</h3>
      <Facts
        of={[
          [TEXTS.at, <Time at={attempt.started_at} whole />],
          [TEXTS.outcome, <Outcome of={attempt} />],
          [TEXTS.status, attempt.response_status ?? '–'],
          [TEXTS.duration, <Duration of={attempt} />],
          [TEXTS.phases, <Phases of={attempt} />],
          url === null
            ? [ONE_DELIVERY_TEXTS.facts.host, <Foreign text={Host} />]
            : [ONE_DELIVERY_TEXTS.facts.url, <Foreign text={url} />],
          [TEXTS.ip, attempt.remote_ip ?? '–'],
        ]}
      />
      <Kept label={TEXTS.requestHeaders} text={linesOf(attempt.request_headers)} none={TEXTS.noRequest} />
      <Kept
        label={cut(TEXTS.answerHeaders, attempt.response_headers_truncated)}
        text={linesOf(attempt.response_headers)}
        none={TEXTS.noAnswer}
      />
      <Kept
        label={cut(TEXTS.answerBody, attempt.response_body_truncated)}
        text={attempt.response_body || null}
        none={TEXTS.noBody}
      />
    </div>
  );
}

interface KeptProps {
  readonly label: string;
  readonly text: string | null;
  readonly none: string;
}

function Kept({ label, text, none }: KeptProps): ComponentChildren {
  if (text !== null) return <TextBlock label={label} text={text} />;
  return (
    <p class="small muted">
      {label}: {none}
    </p>
  );
}

function cut(label: string, isCut: boolean): string {
  return isCut ? `${label} (${TEXTS.cut})` : label;
}

function linesOf(headers: Readonly<Record<string, string>> | null): string | null {
  if (!headers) return null;
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}
