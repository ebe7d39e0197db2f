import type { components } from '../../api/admin-api.js';
import { Facts } from '../../parts/facts.js';
import { IdLink } from '../../parts/id-link.js';
import { Foreign } from '../../parts/text-block.js';
import { Time } from '../../parts/time.js';
import { DeliverySummary } from './delivery-summary.js';
import { WORDS } from './texts.js';

export type Event = components['schemas']['EventResource'];

interface EventFactsProps {
  readonly event: Event;
  readonly summary: Event['delivery_summary'];
}

/** The envelope of an event. */
export function EventFacts({ event: { change, request, data, sequence, thin, created_at: at }, summary }: EventFactsProps) {
  const { facts } = WORDS;
  return (
    <Facts
      of={[
        [WORDS.columns.at, <Time at={at} whole />],
        [WORDS.columns.appointment, <IdLink id={data.object.id} />],
        [WORDS.columns.deliveries, <DeliverySummary summary={summary} />],
        [facts.reason, <Foreign text={change.reason} />],
        [facts.actor, WORDS.causes[change.actor.type]],
        [facts.version, `${change.previous_version ?? '–'} → ${data.object.version}`],
        [facts.sequence, String(sequence)],
        [facts.request, <Foreign text={request.id} />],
        [facts.key, <Foreign text={request.idempotency_key} />],
        [facts.correlation, change.correlation_id && <code>{change.correlation_id}</code>],
        ...(thin ? ([[facts.thin, WORDS.thin]] as const) : []),
      ]}
    />
  );
}
