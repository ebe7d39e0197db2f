import { useState } from 'preact/hooks';
import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import { Curl } from '../../parts/curl.js';
import { Dialog } from '../../parts/dialog.js';
import { Choice } from '../../parts/fields.js';
import { IdLink } from '../../parts/id-link.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { useProject } from '../../state/project.js';
import { useAction } from '../../state/use-action.js';
import { EVENT_TYPES } from './event-filters.js';
import { TestedDelivery } from './tested-delivery.js';
import { WORDS } from './texts.js';

/** Posts a made-up event, and shows what came of it. */
export function TestEvent({ endpointId }: { readonly endpointId: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {WORDS.test.button}
      </button>
      {isOpen && (
        <Dialog title={WORDS.test.button} onClose={() => setOpen(false)}>
          <Test endpointId={endpointId} />
        </Dialog>
      )}
    </>
  );
}

function Test({ endpointId: id }: { readonly endpointId: string }) {
  const project = useProject();
  const { run, isRunning, problem } = useAction();
  const [type, setType] = useState<(typeof EVENT_TYPES)[number]>(EVENT_TYPES[0]);
  const [sent, setSent] = useState<string | null>(null);
  const send = () =>
    run(async () => {
      const wanted = { params: { path: { project_id: project, id } }, body: { type } };
      setSent((await answerOf(api.POST('/admin/v1/projects/{project_id}/webhook_endpoints/{id}/test', wanted))).id);
    });
  return (
    <>
      <p>{WORDS.test.about}</p>
      <Choice
        label={WORDS.test.type}
        name="type"
        value={type}
        options={EVENT_TYPES}
        onChange={(next) => setType(next as typeof type)}
      />
      <ProblemNote problem={problem} />
      <div class="row">
        <button type="button" class="primary" disabled={isRunning} onClick={send}>
          {sent === null ? WORDS.test.button : WORDS.test.another}
        </button>
      </div>
      {sent !== null && (
        <div class="card stack tight">
          <p>
            {WORDS.test.sent} <IdLink id={sent} />
          </p>
          <TestedDelivery key={sent} id={sent} />
        </div>
      )}
      <Curl request={{ method: 'POST', path: `/webhook_endpoints/${id}/test`, body: { type } }} />
    </>
  );
}
