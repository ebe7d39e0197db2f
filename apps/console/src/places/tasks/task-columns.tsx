import { IdLink } from '../../parts/id-link.js';
import type { Column } from '../../parts/list.js';
import { Status } from '../../parts/status.js';
import { formatCount, Time } from '../../parts/time.js';
import type { Task } from '../../state/use-task.js';
import { TASKS_TEXTS } from './texts.js';

const TEXTS = TASKS_TEXTS.columns;

export const TASK_COLUMNS: readonly Column<Task>[] = [
  {
    label: TEXTS.task,
    cell: ({ id, project_id: project }) => <IdLink id={id} project={project} />,
  },
  {
    label: TEXTS.kind,
    cell: ({ kind, dry_run: isDryRun }) => (
      <>
        <span class="nowrap">{kind}</span>
        {isDryRun && <div class="small muted">{TASKS_TEXTS.dryRun}</div>}
      </>
    ),
  },
  { label: TEXTS.status, cell: ({ status }) => <Status status={status} /> },
  {
    label: TEXTS.progress,
    isNumber: true,
    cell: ({ progress: { examined, total } }) => `${formatCount(examined)} / ${total === null ? '?' : formatCount(total)}`,
  },
  { label: TEXTS.made, isNumber: true, cell: madeBy },
  { label: TEXTS.endpoint, cell: ({ webhook_endpoint_id: id }) => <IdLink id={id} /> },
  { label: TEXTS.asked, cell: ({ created_at: at }) => <Time at={at} /> },
];

function madeBy({ result, dry_run: isDryRun }: Task): string {
  if (!result) return '–';
  return isDryRun ? TASKS_TEXTS.wouldMake(formatCount(result.would_create ?? 0)) : formatCount(result.created);
}
