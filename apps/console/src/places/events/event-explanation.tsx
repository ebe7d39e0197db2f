import type { components } from '../../api/admin-api.js';
import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import { Curl } from '../../parts/curl.js';
import { IdLink } from '../../parts/id-link.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { Status } from '../../parts/status.js';
import { Foreign } from '../../parts/text-block.js';
import { placeOf, useProject } from '../../state/project.js';
import { useAnswer } from '../../state/use-answer.js';
import { WORDS } from './texts.js';

/** For each endpoint of then and now, why the event reached it or did not, and what helps. */
export function EventExplanation({ id, round }: { readonly id: string; readonly round: number }) {
  const project = useProject();
  const of = { params: { path: { project_id: project, id } } };
  const { data, problem, reload } = useAnswer(
    () => answerOf(api.GET('/admin/v1/projects/{project_id}/events/{id}/explain', of)),
    [project, id, round],
  );
  return (
    <>
      <ProblemNote problem={problem} onRetry={reload} />
      {data?.endpoints.length === 0 && (
        <p class="card row">
          {WORDS.noEndpoint} <a href={placeOf(project, 'endpoints')}>{WORDS.addEndpoint}</a>
        </p>
      )}
      <div class="stack">
        {data?.endpoints.map((endpoint) => (
          <Explained key={endpoint.webhook_endpoint_id} endpoint={endpoint} />
        ))}
      </div>
      <Curl request={{ path: `/events/${id}/explain` }} />
    </>
  );
}

function Explained({ endpoint }: { readonly endpoint: components['schemas']['ExplainedEndpointResource'] }) {
  const { reason, status, event_filters: filters, delivery_ids: deliveries, what_to_do: whatToDo } = endpoint;
  return (
    <article class="card stack tight">
      <div class="row apart">
        <h3>
          <IdLink id={endpoint.webhook_endpoint_id} />
        </h3>
        <span class="row">
          {reason !== null && <Status status={reason} tone="warn" />}
          {status !== null && <Status status={status} />}
        </span>
      </div>
      <p class="text">{endpoint.explanation}</p>
      {whatToDo !== null && (
        <p class="text">
          <strong>{WORDS.whatToDo}</strong> {whatToDo}
        </p>
      )}
      <p class="small muted">
        {WORDS.filters}: <Foreign text={filters.join(', ') || WORDS.all} />
      </p>
      {deliveries.length > 0 && (
        <p class="row small">
          {deliveries.map((delivery) => (
            <IdLink key={delivery} id={delivery} />
          ))}
        </p>
      )}
    </article>
  );
}
