import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import { Field } from '../../parts/fields.js';
import { Filters } from '../../parts/filters.js';
import { IdLink } from '../../parts/id-link.js';
import { List } from '../../parts/list.js';
import { Place } from '../../parts/place.js';
import { Foreign } from '../../parts/text-block.js';
import { Time } from '../../parts/time.js';
import { useView } from '../../state/use-view.js';
import { PLACES } from '../../texts.js';
import { WORDS } from './texts.js';

const { columns } = WORDS;
const NAMES = ['session_id', 'project_id', 'subject_id'] as const;

export function Audit() {
  const { query, linkTo } = useView();
  const filter = Object.fromEntries(NAMES.flatMap((name) => (query[name] ? [[name, query[name]]] : [])));
  return (
    <Place title={PLACES.audit} about={WORDS.about}>
      <Filters names={NAMES}>
        {(values) => NAMES.map((name) => <Field key={name} label={WORDS.filters[name]} name={name} value={values[name]} />)}
      </Filters>
      <List
        caption={PLACES.audit}
        ask={(page) => answerOf(api.GET('/admin/v1/audit_log', { params: { query: { ...page, ...filter } } }))}
        keys={[JSON.stringify(filter)]}
        columns={[
          { label: columns.at, cell: ({ at }) => <Time at={at} /> },
          { label: columns.action, cell: ({ action }) => <code>{action}</code> },
          { label: columns.subject, cell: ({ subject, project_id: project }) => <IdLink id={subject?.id} project={project} /> },
          { label: columns.result, cell: ({ status, code }) => <Result status={status} code={code} /> },
          {
            label: columns.session,
            cell: ({ session_id: id }) =>
              id ? <a href={linkTo({ session_id: id, after: undefined })}>{id.slice(0, 12)}…</a> : '–',
          },
          { label: columns.address, cell: ({ address }) => <Foreign text={address} /> },
        ]}
        empty={WORDS.empty}
      />
    </Place>
  );
}

function Result({ status, code }: { readonly status: number; readonly code: string | null }) {
  const isFine = status < 400;
  return (
    <span class={`status ${isFine ? 'good' : 'bad'}`}>
      <span aria-hidden="true">{isFine ? '●' : '▲'}</span>
      {status} {code}
    </span>
  );
}
