import { Facts } from '../../parts/facts.js';
import { Status } from '../../parts/status.js';
import { Time } from '../../parts/time.js';
import { WORDS } from './texts.js';
import type { Endpoint } from './use-endpoint.js';

/** Whether it gets what it should; what is wrong is said with what helps. */
export function EndpointHealth({ endpoint }: { readonly endpoint: Endpoint }) {
  const { status, paused_at: pausedAt, paused_reason: pausedAs, disabled_reason: disabledAs, failing_since: failing } = endpoint;
  return (
    <Facts
      of={[
        [
          WORDS.columns.status,
          <>
            <Status status={status} />
            {pausedAs !== null && (
              <>
                {' '}
                <Time at={pausedAt} />, {WORDS.pausedAs[pausedAs]}
              </>
            )}
            {disabledAs === 'gone' && <> {WORDS.goneAs}</>}
          </>,
        ],
        [
          WORDS.columns.failing,
          failing === null ? (
            <span class="muted">{WORDS.fine}</span>
          ) : (
            <strong class="bad">
              ▲ <Time at={failing} whole />
            </strong>
          ),
        ],
      ]}
    />
  );
}
