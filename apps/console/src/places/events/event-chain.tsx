import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import { CauseItems } from '../../parts/cause-items.js';
import { IdLink } from '../../parts/id-link.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { Status } from '../../parts/status.js';
import { Time } from '../../parts/time.js';
import { placeOf, useProject } from '../../state/project.js';
import { useAnswer } from '../../state/use-answer.js';
import type { Event } from './event-facts.js';
import { readEventDeliveries } from './read-event-deliveries.js';
import { WORDS } from './texts.js';

const SHOWN = 20;

/** From the request, task or timer over what is stored of it and the event to its deliveries. */
export function EventChain({ event, round }: { readonly event: Event; readonly round: number }) {
  const project = useProject();
  const { id, change, data } = event;
  const { object: appointment } = data;
  const of = { params: { path: { project_id: project, id } } };
  const causes = useAnswer(() => answerOf(api.GET('/admin/v1/projects/{project_id}/events/{id}/causes', of)), [project, id]);
  return (
    <ol class="timeline">
      {change.actor.type === 'agent' && change.actor.session_id && (
        <li>
          <strong>{WORDS.call}</strong>: <IdLink id={change.actor.session_id} />
        </li>
      )}
      <CauseItems of={causes} />
      <li>
        <strong>{WORDS.event}</strong>: {event.type} <Time at={event.created_at} whole />{' '}
        <a href={`${placeOf(project, 'events')}?object_id=${appointment.id}`}>{WORDS.others}</a>
      </li>
      <Sent id={id} round={round} />
    </ol>
  );
}

function Sent({ id, round }: { readonly id: string; readonly round: number }) {
  const project = useProject();
  const { data, problem, reload } = useAnswer(() => readEventDeliveries(project, id, { limit: SHOWN }), [project, id, round]);
  if (!data) {
    return (
      <li>
        <ProblemNote problem={problem} onRetry={reload} />
      </li>
    );
  }
  if (data.data.length === 0) return <li>{WORDS.notSent}</li>;
  return (
    <li>
      <strong>{WORDS.sent}</strong>
      <ul>
        {data.data.map((delivery) => (
          <li key={delivery.id}>
            <IdLink id={delivery.webhook_endpoint_id} />: <IdLink id={delivery.id} /> <Status status={delivery.status} />
          </li>
        ))}
      </ul>
      {data.has_more && <p class="small muted">{WORDS.more}</p>}
    </li>
  );
}
