import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import { Choice, Field } from '../../parts/fields.js';
import { Filters } from '../../parts/filters.js';
import { TimeField } from '../../parts/time-field.js';
import { useProject } from '../../state/project.js';
import { useAnswer } from '../../state/use-answer.js';
import { FILTER_NAMES, STATUSES } from './delivery-query.js';
import { DELIVERY_TEXTS } from './texts.js';

const TEXTS = DELIVERY_TEXTS.filters;
const TYPES = ['created', 'confirmed', 'rescheduled', 'cancelled', 'failed', '*'].map((type) => `appointment.${type}`);
const TRIGGERS = ['event', 'replay', 'bulk_replay', 'test'];
const ANSWERS = ['2xx', '3xx', '4xx', '5xx', ['none', 'no answer']] as const;
const ERRORS = 'timeout dns_error connection_refused connection_reset tls_error ssrf_blocked redirect network_error'.split(' ');

export function DeliveryFilters() {
  const endpoints = useEndpoints();
  return (
    <Filters names={FILTER_NAMES}>
      {(values) => (
        <>
          <Field
            label={TEXTS.status}
            name="status"
            value={values['status']}
            list={[...STATUSES, 'failed,retrying', 'pending,retrying']}
          />
          <Choice
            label={TEXTS.endpoint}
            name="endpoint_id"
            value={values['endpoint_id']}
            options={withChosen(endpoints, values['endpoint_id'])}
            any
          />
          <Field label={TEXTS.type} name="event_type" value={values['event_type']} list={TYPES} />
          <Field label={TEXTS.event} name="event_id" value={values['event_id']} />
          <Field label={TEXTS.object} name="object_id" value={values['object_id']} />
          <Choice label={TEXTS.trigger} name="trigger" value={values['trigger']} options={TRIGGERS} any />
          <Choice
            label={TEXTS.answer}
            name="response_status_class"
            value={values['response_status_class']}
            options={ANSWERS}
            any
          />
          <Choice label={TEXTS.error} name="error_code" value={values['error_code']} options={ERRORS} any />
          <TimeField label={TEXTS.from} name="created_at[gte]" value={values['created_at[gte]']} />
          <TimeField label={TEXTS.to} name="created_at[lt]" value={values['created_at[lt]']} />
          <Choice label={TEXTS.order} name="order" value={values['order']} options={TEXTS.orders} any />
        </>
      )}
    </Filters>
  );
}

type Option = readonly [id: string, url: string];

function useEndpoints(): readonly Option[] {
  const project_id = useProject();
  const ask = () =>
    answerOf(
      api.GET('/admin/v1/projects/{project_id}/webhook_endpoints', { params: { path: { project_id }, query: { limit: 100 } } }),
    );
  const { data } = useAnswer(ask, [project_id]);
  return data?.data.map(({ id, url }) => [id, url.slice(0, 80)] as const) ?? [];
}

/** A deleted endpoint is in no list, but its deliveries are. */
function withChosen(options: readonly Option[], chosen: string | undefined): readonly Option[] {
  return !chosen || options.some(([id]) => id === chosen) ? options : [...options, [chosen, chosen]];
}
