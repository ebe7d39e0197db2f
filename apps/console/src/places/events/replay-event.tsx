import { useState } from 'preact/hooks';
import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import { AskBefore } from '../../parts/ask-before.js';
import { Curl } from '../../parts/curl.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { Status } from '../../parts/status.js';
import { Foreign } from '../../parts/text-block.js';
import { useProject } from '../../state/project.js';
import { TEXTS } from '../../texts.js';
import { WORDS } from './texts.js';
import { useProjectEndpoints } from './use-project-endpoints.js';

interface ReplayEventProps {
  readonly id: string;
  /** Gets how many fresh deliveries were made. */
  readonly onDone: (count: number) => void;
}

/** Sends an event again, to all endpoints that want it or to those chosen. */
export function ReplayEvent({ id, onDone }: ReplayEventProps) {
  const project = useProject();
  /** Null for all. */
  const [chosen, setChosen] = useState<readonly string[] | null>(null);
  const body = chosen === null ? {} : { endpoint_ids: [...chosen] };
  const replay = async () => {
    const wanted = { params: { path: { project_id: project, id } }, body };
    const { data } = await answerOf(api.POST('/admin/v1/projects/{project_id}/events/{id}/replay', wanted));
    onDone(data.length);
  };
  return (
    <AskBefore label={WORDS.replay} title={WORDS.replay} onConfirm={replay}>
      <p>{WORDS.replayAbout}</p>
      <EndpointChoice chosen={chosen} onChoose={setChosen} />
      <Curl request={{ method: 'POST', path: `/events/${id}/replay`, body }} />
    </AskBefore>
  );
}

interface EndpointChoiceProps {
  readonly chosen: readonly string[] | null;
  readonly onChoose: (chosen: readonly string[] | null) => void;
}

function EndpointChoice({ chosen, onChoose }: EndpointChoiceProps) {
  const { endpoints, hasMore, problem, reload } = useProjectEndpoints();
  if (problem) return <ProblemNote problem={problem} onRetry={reload} />;
  if (!endpoints) return <p role="status">{TEXTS.list.loading}</p>;
  const pick = (id: string, isPicked: boolean) =>
    onChoose(isPicked ? [...(chosen ?? []), id] : (chosen ?? []).filter((each) => each !== id));
  return (
    <fieldset class="stack tight">
      <label class="check">
        <input type="radio" name="to" checked={chosen === null} onChange={() => onChoose(null)} />
        {WORDS.toAll}
      </label>
      <label class="check">
        <input type="radio" name="to" checked={chosen !== null} onChange={() => onChoose([])} />
        {WORDS.toChosen}
      </label>
      {chosen !== null &&
        endpoints.map(({ id, url, status }) => (
          <label key={id} class="check">
            <input
              type="checkbox"
              checked={chosen.includes(id)}
              onChange={({ currentTarget }) => pick(id, currentTarget.checked)}
            />
            <Status status={status} />
            <Foreign text={url} />
          </label>
        ))}
      <p role="status">
        <strong>{chosen === null ? WORDS.toAllCount(endpoints.length, hasMore) : WORDS.toChosenCount(chosen.length)}</strong>
      </p>
    </fieldset>
  );
}
