import type { components } from '../../api/admin-api.js';
import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import { Curl } from '../../parts/curl.js';
import { IdLink } from '../../parts/id-link.js';
import { Loaded } from '../../parts/loaded.js';
import { Section } from '../../parts/place.js';
import { Status } from '../../parts/status.js';
import { Foreign } from '../../parts/text-block.js';
import { formatCount, Time } from '../../parts/time.js';
import { placeOf, useProject } from '../../state/project.js';
import { useAnswer } from '../../state/use-answer.js';
import { useFresh } from '../../state/use-fresh.js';
import { PLACES } from '../../texts.js';
import { WORDS } from './texts.js';

type Event = components['schemas']['EventResource'];
type Delivery = components['schemas']['DeliveryOutlineResource'];

const TEXTS = WORDS.life;

/** What was emitted of an appointment: what changed, who changed it, and to whom it was posted. */
export function AppointmentLife({ id }: { readonly id: string }) {
  const project_id = useProject();
  const query = { object_id: id, order: 'asc', limit: 100 } as const;
  const params = { path: { project_id }, query };
  const ask = () =>
    Promise.all([
      answerOf(api.GET('/admin/v1/projects/{project_id}/events', { params })),
      answerOf(api.GET('/admin/v1/projects/{project_id}/deliveries', { params })),
    ]);
  const answer = useAnswer(ask, [project_id, id]);
  const known = new Set([id, ...(answer.data ?? []).flatMap(({ data }) => data.map((each: { readonly id: string }) => each.id))]);
  useFresh(['appointment', 'event', 'webhook_delivery'], answer.reload, (change) => known.has(change.id));
  const all = (place: string) => `${placeOf(project_id, place)}?object_id=${id}`;
  return (
    <Section title={TEXTS.title}>
      <p class="muted">{TEXTS.about}</p>
      <Loaded of={answer}>
        {([events, deliveries]) => (
          <>
            {events.data.length === 0 && <p class="muted">{TEXTS.none}</p>}
            <ol class="timeline">
              {events.data.map((event) => (
                <Step key={event.id} of={event} deliveries={deliveries.data.filter((each) => each.event_id === event.id)} />
              ))}
            </ol>
          </>
        )}
      </Loaded>
      <p class="row">
        <a href={all('events')}>{TEXTS.events}</a>
        <a href={all('deliveries')}>{TEXTS.deliveries}</a>
      </p>
      <Curl request={{ path: '/events', query: { object_id: id, order: 'asc' } }} />
      <Curl request={{ path: '/deliveries', query: { object_id: id, order: 'asc' } }} />
    </Section>
  );
}

function Step({ of, deliveries }: { readonly of: Event; readonly deliveries: readonly Delivery[] }) {
  const { id, type, created_at: at, data, previous_attributes: previous, change } = of;
  const { actor, reason } = change;
  return (
    <li class="stack tight">
      <span class="row">
        <strong>{type}</strong>
        <span class="small muted">
          <Time at={at} whole />
        </span>
        <IdLink id={id} />
      </span>
      <span class="row">
        {TEXTS.actor} {TEXTS.actors[actor.type]}
        {actor.session_id && <IdLink id={actor.session_id} />}
        <Foreign text={reason} />
      </span>
      <span class="row">
        {TEXTS.status} {previous.status && <Status status={previous.status} />}
        {previous.status && '→'} <Status status={data.object.status} />
      </span>
      {previous.starts_at && (
        <span>
          {TEXTS.from} <Time at={previous.starts_at} whole /> → <Time at={data.object.starts_at} whole />
        </span>
      )}
      <Deliveries of={deliveries} />
    </li>
  );
}

function Deliveries({ of }: { readonly of: readonly Delivery[] }) {
  if (of.length === 0) return <span class="small muted">{TEXTS.noDeliveries}</span>;
  return (
    <ul class="slots stack tight" aria-label={PLACES.deliveries}>
      {of.map(({ id, status, url, attempt_count: attempts }) => (
        <li key={id} class="row small">
          <Status status={status} />
          <IdLink id={id} />
          <Foreign text={url} />
          <span class="muted">{TEXTS.attempts(formatCount(attempts))}</span>
        </li>
      ))}
    </ul>
  );
}
