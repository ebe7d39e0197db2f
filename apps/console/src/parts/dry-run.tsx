import { useLocation } from 'preact-iso';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { placeOf, useProject } from '../state/project.js';
import { useAction } from '../state/use-action.js';
import { isOpenTask, useTask, type Task } from '../state/use-task.js';
import { TEXTS } from '../texts.js';
import { Curl, type ShownRequest } from './curl.js';
import { Dialog } from './dialog.js';
import { Form } from './fields.js';
import { FormButtons } from './form-buttons.js';
import { ProblemNote } from './problem-note.js';
import { Progress } from './progress.js';
import { TextBlock } from './text-block.js';
import { TaskResult } from './task-result.js';
import { TASK_TEXTS } from './task-texts.js';

type Values = Readonly<Record<string, string>>;

interface DryRunProps {
  readonly title: string;
  /** The fields of what can be chosen, with the values chosen before. */
  readonly children: (values: Values) => ComponentChildren;
  /** The request that begins the task, or its dry run. */
  readonly requestOf: (values: Values, isDryRun: boolean) => ShownRequest;
  readonly begin: (values: Values, isDryRun: boolean) => Promise<Task>;
  /** The words of the button that does it, with how many. */
  readonly doIt: (count: number) => string;
  readonly onClose: () => void;
}

/** A task that is counted by a dry run before it is begun. Once begun, its own page is shown. */
export function DryRun({ title, children, requestOf, begin, doIt, onClose }: DryRunProps) {
  const [values, setValues] = useState<Values>({});
  const [dryRun, setDryRun] = useState<string | null>(null);
  const { run, isRunning, problem } = useAction();
  const { route } = useLocation();
  const project = useProject();
  const count = (chosen: Values) => {
    setValues(chosen);
    run(async () => setDryRun((await begin(chosen, true)).id));
  };
  const doAll = () => run(async () => route(placeOf(project, 'tasks', (await begin(values, false)).id)));
  return (
    <Dialog title={title} onClose={onClose}>
      {dryRun === null ? (
        <Form onSubmit={count}>
          {children(values)}
          <p class="muted">{TASK_TEXTS.countAbout}</p>
          <ProblemNote problem={problem} />
          <FormButtons label={TASK_TEXTS.count} leave={TEXTS.cancel} isRunning={isRunning} onLeave={onClose} />
        </Form>
      ) : (
        <>
          <Counted id={dryRun} doIt={doIt} onDo={doAll} isDisabled={isRunning}>
            <button type="button" onClick={() => setDryRun(null)}>
              {TASK_TEXTS.change}
            </button>
            <button type="button" onClick={onClose}>
              {TEXTS.cancel}
            </button>
          </Counted>
          <ProblemNote problem={problem} />
          <Curl request={requestOf(values, false)} />
        </>
      )}
    </Dialog>
  );
}

interface CountedProps {
  readonly id: string;
  readonly doIt: (count: number) => string;
  readonly onDo: () => void;
  readonly isDisabled: boolean;
  /** Further buttons. */
  readonly children: ComponentChildren;
}

function Counted({ id, doIt, onDo, isDisabled, children }: CountedProps) {
  const { data: task, problem, reload } = useTask(id);
  const isOver = task !== undefined && !isOpenTask(task);
  const count = isOver ? (task.result?.would_create ?? 0) : 0;
  return (
    <>
      <ProblemNote problem={problem} onRetry={reload} />
      <div role="status" class="stack">
        {!isOver && (
          <Progress label={TASK_TEXTS.counting} done={task?.progress.examined ?? 0} total={task?.progress.total ?? null} />
        )}
        {isOver && task.result && <TaskResult result={task.result} />}
        {isOver && task.status !== 'completed' && <p>{TASK_TEXTS.ended(task.status)}</p>}
        {isOver && count === 0 && <p>{TASK_TEXTS.nothing}</p>}
      </div>
      {isOver && (
        <details>
          <summary>{TASK_TEXTS.parameters}</summary>
          <TextBlock label={TASK_TEXTS.parameters} text={JSON.stringify(task.parameters, null, 2)} />
        </details>
      )}
      <div class="row">
        {count > 0 && (
          <button type="button" class="primary" disabled={isDisabled} onClick={onDo}>
            {doIt(count)}
          </button>
        )}
        {children}
      </div>
    </>
  );
}
