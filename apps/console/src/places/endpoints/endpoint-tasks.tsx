import { useState } from 'preact/hooks';
import { DryRun } from '../../parts/dry-run.js';
import { useProject } from '../../state/project.js';
import { beginEndpointTask, TASK_BODIES, TASK_KINDS, type TaskKind } from './begin-endpoint-task.js';
import { EndpointTaskFields } from './endpoint-task-fields.js';
import { WORDS } from './texts.js';
import type { Endpoint } from './use-endpoint.js';

const DAY_MS = 86_400_000;

/** Three ways to send what an endpoint did not get: each is counted before it is done. */
export function EndpointTasks({ endpoint }: { readonly endpoint: Endpoint }) {
  const [shown, setShown] = useState<TaskKind | null>(null);
  return (
    <>
      <div class="tiles">
        {TASK_KINDS.map((kind) => (
          <div key={kind} class="card stack tight">
            <div>
              <button type="button" onClick={() => setShown(kind)}>
                {WORDS.kinds[kind].label}
              </button>
            </div>
            <p class="small muted">{WORDS.kinds[kind].about}</p>
          </div>
        ))}
      </div>
      {shown && <EndpointTask kind={shown} endpoint={endpoint} onClose={() => setShown(null)} />}
    </>
  );
}

interface EndpointTaskProps {
  readonly kind: TaskKind;
  readonly endpoint: Endpoint;
  readonly onClose: () => void;
}

function EndpointTask({ kind, endpoint: { id, failing_since: failing }, onClose }: EndpointTaskProps) {
  const project = useProject();
  const [since] = useState(() => dayBefore(failing));
  const { label, about, doIt } = WORDS.kinds[kind];
  return (
    <DryRun
      title={label}
      requestOf={(values, isDryRun) => ({
        method: 'POST',
        path: `/webhook_endpoints/${id}/${kind}`,
        body: TASK_BODIES[kind](values, isDryRun),
      })}
      begin={(values, isDryRun) => beginEndpointTask(kind, { project_id: project, id }, values, isDryRun)}
      doIt={doIt}
      onClose={onClose}
    >
      {(values) => (
        <>
          <p>{about}</p>
          <EndpointTaskFields kind={kind} values={{ since, ...values }} />
        </>
      )}
    </DryRun>
  );
}

/** The first attempts that failed are of events of some time before. */
function dayBefore(at: string | null): string {
  const end = at === null ? Date.now() : new Date(at).getTime();
  return new Date(end - DAY_MS).toISOString();
}
