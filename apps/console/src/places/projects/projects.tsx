import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';
import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import { Dialog } from '../../parts/dialog.js';
import { Field, Form } from '../../parts/fields.js';
import { IdLink } from '../../parts/id-link.js';
import { List } from '../../parts/list.js';
import { Place } from '../../parts/place.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { Foreign } from '../../parts/text-block.js';
import { Time } from '../../parts/time.js';
import { placeOf } from '../../state/project.js';
import { useAction } from '../../state/use-action.js';
import { PLACES, TEXTS } from '../../texts.js';
import { BackUp } from './back-up.js';
import { WORDS } from './texts.js';

export function Projects() {
  const [isAdding, setAdding] = useState(false);
  const add = (
    <button class="primary" onClick={() => setAdding(true)}>
      {WORDS.add}
    </button>
  );
  const actions = (
    <>
      {add}
      <BackUp />
    </>
  );
  return (
    <Place title={PLACES.projects} about={WORDS.about} actions={actions}>
      <List
        caption={PLACES.projects}
        ask={(query) => answerOf(api.GET('/admin/v1/projects', { params: { query } }))}
        keys={[]}
        columns={[
          {
            label: TEXTS.name,
            cell: ({ id, name }) => (
              <a href={`/admin/projects/${id}`}>
                <Foreign text={name} isLink />
              </a>
            ),
          },
          { label: WORDS.columns.id, cell: ({ id }) => <IdLink id={id} /> },
          { label: WORDS.columns.created, cell: ({ created_at: at }) => <Time at={at} /> },
          { label: WORDS.columns.links, cell: ({ id }) => <ProjectLinks id={id} /> },
        ]}
        empty={add}
      />
      {isAdding && <AddProject onClose={() => setAdding(false)} />}
    </Place>
  );
}

function ProjectLinks({ id }: { readonly id: string }) {
  return (
    <span class="row">
      <a href={placeOf(id, 'overview')}>{PLACES.overview}</a>
      <a href={placeOf(id, 'api-keys')}>{PLACES['api-keys']}</a>
    </span>
  );
}

function AddProject({ onClose }: { readonly onClose: () => void }) {
  const { route } = useLocation();
  const { run, isRunning, problem } = useAction();
  const submit = ({ name = '' }: Record<string, string>) =>
    run(async () => {
      const { id } = await answerOf(api.POST('/admin/v1/projects', { body: { name } }));
      route(placeOf(id, 'api-keys'));
    });
  return (
    <Dialog title={WORDS.add} onClose={onClose}>
      <Form onSubmit={submit}>
        <Field label={TEXTS.name} name="name" required />
        <ProblemNote problem={problem} />
        <button type="submit" class="primary" disabled={isRunning}>
          {WORDS.add}
        </button>
      </Form>
    </Dialog>
  );
}
