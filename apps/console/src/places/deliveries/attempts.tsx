import { Tabs } from '../../parts/tabs.js';
import { TextBlock } from '../../parts/text-block.js';
import { Section } from '../../parts/place.js';
import { Time } from '../../parts/time.js';
import { useView } from '../../state/use-view.js';
import { Duration, Outcome, Phases, WholeAttempt } from './attempt.js';
import type { WholeDelivery } from './delivery-facts.js';
import { DeliveryTimeline } from './delivery-timeline.js';
import { ONE_DELIVERY_TEXTS as TEXTS } from './texts.js';

const VIEWS = [
  ['compact', TEXTS.compact],
  ['timeline', TEXTS.timeline],
  ['whole', TEXTS.whole],
] as const;

/** The attempts of a delivery, as much of them as the chosen tab shows. */
export function Attempts({ of: delivery }: { readonly of: WholeDelivery }) {
  const { query } = useView();
  const view = query['view'];
  return (
    <Section title={TEXTS.views}>
      <Tabs label={TEXTS.views} name="view" tabs={VIEWS} />
      {view === 'timeline' ? (
        <DeliveryTimeline of={delivery} />
      ) : view === 'whole' ? (
        <Whole of={delivery} />
      ) : (
        <Compact of={delivery} />
      )}
    </Section>
  );
}

function Compact({ of: { attempts } }: { readonly of: WholeDelivery }) {
  const { number, at, outcome, status, duration, phases } = TEXTS.attempt;
  if (attempts.length === 0) return <p class="muted">{TEXTS.noAttempts}</p>;
  return (
    <div class="list">
      <table>
        <caption class="hidden">{TEXTS.views}</caption>
        <thead>
          <tr>
            {[number, at, outcome, status, duration, phases].map((label) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {attempts.map((attempt) => (
            <tr key={attempt.id}>
              <td data-label={number}>{attempt.attempt}</td>
              <td data-label={at}>
                <Time at={attempt.started_at} />
              </td>
              <td data-label={outcome}>
                <Outcome of={attempt} />
              </td>
              <td data-label={status}>{attempt.response_status ?? '–'}</td>
              <td data-label={duration}>
                <Duration of={attempt} />
              </td>
              <td data-label={phases}>
                <Phases of={attempt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Whole({ of: delivery }: { readonly of: WholeDelivery }) {
  return (
    <div class="stack">
      {delivery.attempts.length === 0 && <p class="muted">{TEXTS.noAttempts}</p>}
      {delivery.attempts.map((attempt) => (
        <WholeAttempt key={attempt.id} of={attempt} url={attempt.attempt === delivery.attempt_count ? delivery.url : null} />
      ))}
      <details>
        <summary>{TEXTS.raw}</summary>
        <TextBlock label={TEXTS.raw} text={JSON.stringify(delivery, null, 2)} />
      </details>
    </div>
  );
}
