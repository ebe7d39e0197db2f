import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import { Facts } from '../../parts/facts.js';
import { List } from '../../parts/list.js';
import { Loaded } from '../../parts/loaded.js';
import { MemberChanges } from '../../parts/member-changes.js';
import { CopyButton } from '../../parts/copy-button.js';
import { TextBlock } from '../../parts/text-block.js';
import { Time } from '../../parts/time.js';
import { useAnswer } from '../../state/use-answer.js';
import { WORDS } from './texts.js';

const columns = WORDS.changes;

interface RowPartProps {
  readonly projection: string;
  readonly id: string;
}

/** A row as it is stored, and how it came to be so. */
export function RowPart({ projection: name, id }: RowPartProps) {
  const params = { path: { name, id } };
  const answer = useAnswer(() => answerOf(api.GET('/admin/v1/projections/{name}/rows/{id}', { params })), [name, id]);
  return (
    <Loaded of={answer}>
      {({ position, stale, row }) => (
        <div class="stack">
          <Facts
            of={[
              [WORDS.rowFacts.position, position],
              [WORDS.rowFacts.complete, <Completeness isStale={stale} />],
            ]}
          />
          <TextBlock text={JSON.stringify(row, null, 2)} label={id} />
          <History projection={name} id={id} />
        </div>
      )}
    </Loaded>
  );
}

function Completeness({ isStale }: { readonly isStale: boolean }) {
  return <span class={`status ${isStale ? 'bad' : 'good'}`}>{isStale ? `▲ ${WORDS.stale}` : `● ${WORDS.complete}`}</span>;
}

function History({ projection: name, id }: RowPartProps) {
  const probe = useAnswer(() => hasHistory(name, id), [name, id]);
  const command = `npm run projections -- explain ${name} ${id}`;
  return (
    <Loaded of={probe}>
      {(isThere) =>
        isThere ? (
          <>
            <h3>{WORDS.history}</h3>
            <p class="muted">{WORDS.historyAbout}</p>
            <Changes projection={name} id={id} />
          </>
        ) : (
          <p class="row">
            {WORDS.noHistory} <code>{command}</code> <CopyButton text={command} />
          </p>
        )
      }
    </Loaded>
  );
}

/** Rows of many streams have none here. */
async function hasHistory(name: string, id: string): Promise<boolean> {
  const { error } = await api.GET('/admin/v1/projections/{name}/rows/{id}/history', {
    params: { path: { name, id }, query: { limit: 1 } },
  });
  return error?.error.code !== 'history_unavailable';
}

function Changes({ projection: name, id }: RowPartProps) {
  return (
    <List
      caption={WORDS.history}
      ask={(query) =>
        answerOf(api.GET('/admin/v1/projections/{name}/rows/{id}/history', { params: { path: { name, id }, query } }))
      }
      keys={[name, id]}
      isOldestFirst
      columns={[
        { label: columns.at, cell: ({ at }) => <Time at={at} whole /> },
        { label: columns.event, cell: ({ event }) => <code>{event.type}</code> },
        { label: columns.position, cell: ({ event }) => <code>{event.position}</code> },
        { label: columns.members, cell: ({ changes }) => <MemberChanges of={changes} /> },
      ]}
      empty={WORDS.noChanges}
    />
  );
}
