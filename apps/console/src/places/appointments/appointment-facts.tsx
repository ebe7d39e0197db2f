import { Curl } from '../../parts/curl.js';
import { Facts } from '../../parts/facts.js';
import { IdLink } from '../../parts/id-link.js';
import { Metadata } from '../../parts/metadata.js';
import { Status } from '../../parts/status.js';
import { Foreign, TextBlock } from '../../parts/text-block.js';
import { formatCount, Time } from '../../parts/time.js';
import type { Appointment } from './appointment-columns.js';
import { WORDS } from './texts.js';

const { labels } = WORDS;

/** How an appointment is now. */
export function AppointmentFacts({ of }: { readonly of: Appointment }) {
  return (
    <div class="card stack">
      <Facts
        of={[
          [labels.status, <Status status={of.status} />],
          [labels.service, <Foreign text={of.service} />],
          [labels.starts, <Time at={of.starts_at} whole />],
          [labels.ends, <Time at={of.ends_at} whole />],
          [labels.zone, of.time_zone],
          [labels.there, thereOf(of)],
          [labels.customer, <IdLink id={of.customer_id} />],
          [labels.conversation, <IdLink id={of.conversation_id} />],
          [labels.call, <IdLink id={of.session_id} />],
          [labels.resource, <Foreign text={of.resource_id} />],
          [labels.location, <Foreign text={of.location} />],
          [labels.externalId, <Foreign text={of.external_id} />],
          [labels.source, WORDS.sources[of.source]],
          ...whatHappened(of),
          [labels.created, <Time at={of.created_at} whole />],
          [labels.confirmed, <Time at={of.confirmed_at} whole />],
          [labels.updated, <Time at={of.updated_at} whole />],
          [labels.version, formatCount(of.version)],
        ]}
      />
      {of.notes && <TextBlock label={labels.notes} text={of.notes} />}
      <Metadata of={of.metadata} />
      <Curl request={{ path: `/appointments/${of.id}` }} />
    </div>
  );
}

function whatHappened({ reschedule, cancellation, failure }: Appointment) {
  return [
    ...(reschedule
      ? [
          [
            labels.moved,
            <>
              {WORDS.moved(formatCount(reschedule.count))} <Time at={reschedule.previous_starts_at} whole />
            </>,
          ] as const,
        ]
      : []),
    ...(cancellation
      ? [
          [
            labels.called,
            <>
              <Time at={cancellation.at} /> {WORDS.by} {cancellation.cancelled_by}: <Foreign text={cancellation.reason} />
            </>,
          ] as const,
        ]
      : []),
    ...(failure
      ? [
          [
            labels.failure,
            <>
              <Time at={failure.at} /> <Foreign text={failure.code} />: <Foreign text={failure.message} />
            </>,
          ] as const,
        ]
      : []),
  ];
}

/** The start in the appointment's own zone. */
function thereOf({ starts_at: at, time_zone: timeZone }: Appointment): string {
  try {
    return new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(new Date(at));
  } catch {
    return at;
  }
}
