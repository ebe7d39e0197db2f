import { useRoute } from 'preact-iso';
import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import { Facts } from '../../parts/facts.js';
import { Field, Form } from '../../parts/fields.js';
import { Loaded } from '../../parts/loaded.js';
import { Place, Section } from '../../parts/place.js';
import { ProjectionStatus } from '../../parts/projection-status.js';
import { formatCount, formatDuration, Time } from '../../parts/time.js';
import { useAnswer } from '../../state/use-answer.js';
import { useFresh } from '../../state/use-fresh.js';
import { useView } from '../../state/use-view.js';
import { PLACES } from '../../texts.js';
import { ProjectionColumns } from './projection-columns.js';
import { RowPart } from './row-part.js';
import { WORDS } from './texts.js';

const { facts } = WORDS;

/** One projection: who runs it, how far it is, its columns, and any of its rows. */
export function ProjectionPage() {
  const { id: name = '' } = useRoute().params;
  const { query, show } = useView();
  const answer = useAnswer(() => answerOf(api.GET('/admin/v1/projections/{name}', { params: { path: { name } } })), [name]);
  useFresh(['projection'], answer.reload);
  const row = query['row'];
  return (
    <Place title={name} about={<a href="/admin/projections">{PLACES.projections}</a>}>
      <Loaded of={answer}>
        {({ state, version, rows, behind_seconds: behind, checkpoint, process, last_rebuild: rebuilt, columns }) => (
          <>
            <Facts
              of={[
                [facts.state, <ProjectionStatus state={state} />],
                [facts.version, version],
                [facts.rows, formatCount(rows)],
                [facts.behind, behind === null ? null : formatDuration(behind * 1_000)],
                [facts.position, checkpoint],
                [facts.runBy, process && `${process.app}, ${process.id}`],
                [facts.since, process && <Time at={process.since} whole />],
                [facts.rebuilt, rebuilt && <Time at={rebuilt.completed_at} whole />],
              ]}
            />
            <Section title={WORDS.row} about={WORDS.rowAbout}>
              <Form key={row} class="row end" onSubmit={({ row: wanted }) => show({ row: wanted?.trim(), after: undefined })}>
                <Field label={WORDS.rowId} name="row" value={row ?? ''} required />
                <button type="submit">{WORDS.find}</button>
              </Form>
              {row && <RowPart key={row} projection={name} id={row} />}
            </Section>
            <ProjectionColumns columns={columns} />
          </>
        )}
      </Loaded>
    </Place>
  );
}
