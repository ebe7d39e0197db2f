import type { components } from '../../api/admin-api.js';
import { Facts } from '../../parts/facts.js';
import { IdLink } from '../../parts/id-link.js';
import { formatCount } from '../../parts/time.js';
import { WORDS } from './texts.js';

export type Trial = components['schemas']['FilterTrialResource'];

interface FilterTrialProps {
  readonly trial: Trial;
  /** Of an endpoint that had no filters before. */
  readonly isNew: boolean;
}

/** What a change of filters would have done to the last events. */
export function FilterTrial({ trial: { events }, isNew }: FilterTrialProps) {
  if (events.length === 0) return <p role="status">{WORDS.trial.none}</p>;
  const changed = events.filter(({ matches, matches_now: now }) => matches !== now);
  const gained = changed.filter(({ matches }) => matches);
  const lost = changed.filter(({ matches }) => !matches);
  const count = (some: readonly unknown[]) => <strong>{formatCount(some.length)}</strong>;
  return (
    <div class="card note stack tight" role="status">
      <p>{WORDS.trial.of(events.length)}</p>
      <Facts
        of={[
          [WORDS.trial.passes, count(events.filter(({ matches }) => matches))],
          ...(isNew
            ? []
            : ([
                [WORDS.trial.passesNow, count(events.filter(({ matches_now: now }) => now))],
                [WORDS.trial.gained, count(gained)],
                [WORDS.trial.lost, count(lost)],
              ] as const)),
        ]}
      />
      {changed.length > 0 && (
        <details class="small">
          <summary>{WORDS.trial.changed}</summary>
          <ul>
            {changed.map(({ id, type, matches }) => (
              <li key={id}>
                <IdLink id={id} /> {type}
                {!isNew && `: ${matches ? WORDS.trial.isGained : WORDS.trial.isLost}`}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
