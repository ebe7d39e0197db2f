import { useLocation, useRoute } from 'preact-iso';
import { useEffect } from 'preact/hooks';
import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import { AskBefore } from '../../parts/ask-before.js';
import { Curl } from '../../parts/curl.js';
import { Facts } from '../../parts/facts.js';
import { addressOfNoProject, IdLink } from '../../parts/id-link.js';
import { Place, Section } from '../../parts/place.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { Progress } from '../../parts/progress.js';
import { Status } from '../../parts/status.js';
import { TaskResult } from '../../parts/task-result.js';
import { TASK_TEXTS } from '../../parts/task-texts.js';
import { Foreign, TextBlock } from '../../parts/text-block.js';
import { formatCount, Time } from '../../parts/time.js';
import { useProject } from '../../state/project.js';
import { isOpenTask, useTask, type Task } from '../../state/use-task.js';
import { TEXTS as COMMON } from '../../texts.js';
import { TASKS_TEXTS as TEXTS } from './texts.js';

/** One task: of the project or, where that has none with the id, of no project. */
export function TaskPage() {
  const { project, id = '' } = useRoute().params;
  const isInstallation = project === undefined;
  return <OneTask key={`${id} ${isInstallation}`} id={id} isInstallation={isInstallation} />;
}

/** How far a task is, what was asked for and what came of it. */
function OneTask({ id, isInstallation }: { readonly id: string; readonly isInstallation: boolean }) {
  const { route } = useLocation();
  const { data: task, problem: refused, reload } = useTask(id, isInstallation);
  const isElsewhere = !isInstallation && refused?.status === 404;
  useEffect(() => {
    if (isElsewhere) route(addressOfNoProject(id) ?? '', true);
  }, [isElsewhere]);
  const problem = isElsewhere ? null : refused;
  return (
    <Place
      title={TEXTS.title}
      about={<code>{id}</code>}
      actions={task && isOpenTask(task) && <CancelTask task={task} isInstallation={isInstallation} onDone={reload} />}
    >
      <ProblemNote problem={problem} onRetry={reload} />
      {!task && !problem && <p role="status">{COMMON.list.loading}</p>}
      {task && (
        <>
          {task.error && (
            <p class="card problem" role="alert">
              <strong>{task.error.code}</strong>: <Foreign text={task.error.message} />
            </p>
          )}
          <TaskFacts task={task} />
          <Section title={task.dry_run ? TEXTS.resultDryRun : TEXTS.result}>
            {task.result ? <TaskResult result={task.result} /> : <p class="muted">{TEXTS.noResult}</p>}
          </Section>
          <Section title={TASK_TEXTS.parameters}>
            <TextBlock label={TASK_TEXTS.parameters} text={JSON.stringify(task.parameters, null, 2)} />
          </Section>
          {!isInstallation && <Curl request={{ path: `/tasks/${id}` }} />}
        </>
      )}
    </Place>
  );
}

function TaskFacts({ task }: { readonly task: Task }) {
  const { status, kind, dryRun, endpoint, asked, started, over } = TEXTS.facts;
  return (
    <div class="card stack">
      <Progress label={TASK_TEXTS.progress} done={task.progress.examined} total={totalOf(task)} />
      <Facts
        of={[
          [status, <Status status={task.status} />],
          [kind, <Foreign text={task.kind} />],
          [dryRun, task.dry_run ? TEXTS.yes : TEXTS.no],
          [endpoint, <IdLink id={task.webhook_endpoint_id} />],
          [asked, <Time at={task.created_at} whole />],
          [started, <Time at={task.started_at} whole />],
          [over, <Time at={task.completed_at} whole />],
        ]}
      />
    </div>
  );
}

/** A bar of unknown length moves, which one that is over must not. */
function totalOf(task: Task): number | null {
  const { examined, total } = task.progress;
  return total === null && !isOpenTask(task) ? examined : total;
}

interface CancelTaskProps {
  readonly task: Task;
  readonly isInstallation: boolean;
  readonly onDone: () => void;
}

function CancelTask({ task: { id, progress, result }, isInstallation, onDone }: CancelTaskProps) {
  const project_id = useProject();
  const left = progress.total === null ? TEXTS.unknownLeft : formatCount(progress.total - progress.examined);
  const cancel = async () => {
    await (isInstallation
      ? answerOf(api.POST('/admin/v1/tasks/{id}/cancel', { params: { path: { id } } }))
      : answerOf(api.POST('/admin/v1/projects/{project_id}/tasks/{id}/cancel', { params: { path: { project_id, id } } })));
    onDone();
  };
  return (
    <AskBefore label={TEXTS.cancel} title={TEXTS.cancelTitle} isDangerous onConfirm={cancel}>
      <p>{TEXTS.cancelAbout(formatCount(result?.created ?? 0), left)}</p>
      {!isInstallation && <Curl request={{ method: 'POST', path: `/tasks/${id}/cancel` }} />}
    </AskBefore>
  );
}
