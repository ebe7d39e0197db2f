import { ApiExtraModels, ApiSchema, getSchemaPath } from '@nestjs/swagger';
import { toTime } from '@application/read-models/time.resource';
import { TASK_WINDOW_DAYS, type Task } from '@domain/task/task';
import { TASK_STATUSES, type TaskProgress } from '@domain/task/task.events';
import { withMeanings } from '../http/docs/with-meanings.js';
import {
  COUNT,
  COUNT_OR_NULL,
  FLAG,
  idOf,
  idOrNull,
  KindMember,
  Member,
  one,
  TEXT,
  TIME,
  TIME_OR_NULL,
} from '../http/docs/schemas.resource.js';
import { TASK_STATUS } from './meanings.js';

const OF_SOME = { required: false } as const;

@ApiSchema({ description: 'How far a task has come.' })
class TaskProgressResource {
  @Member(COUNT, 'How many were looked at so far.') examined!: number;
  @Member(COUNT_OR_NULL, 'How many there are to look at in all; null until that is known.') total!: number | null;
}

@ApiSchema({ description: 'Events that were received and are not among those that the endpoint was to get in that time.' })
class UnknownEventsResource {
  @Member(COUNT, 'How many there are.') count!: number;
  @Member({ type: 'array', items: TEXT, maxItems: 20 }, 'The ids of some of them.') ids!: readonly string[];
}

@ApiSchema({ description: 'How far the rebuild of a projection has come.' })
class ProjectionRebuildResource {
  @Member({ type: 'number', minimum: 0, maximum: 100 }, 'How much of the log has been read.') percent!: number;
  @Member(COUNT_OR_NULL, 'How many rows were made; null while it is under way.') rows!: number | null;
  @Member(TIME, 'When it began.') started_at!: string;
  @Member(TIME_OR_NULL, 'When lists showed the new rows; null until then.') completed_at!: string | null;
}

@ApiExtraModels(ProjectionRebuildResource)
@ApiSchema({ description: 'What came of a task so far. Each kind leaves out by reasons of its own.' })
class TaskResultResource {
  @Member(COUNT, 'How many of those looked at so far are what the task is about.') matched!: number;
  @Member(COUNT, 'How many were made so far; 0 in a dry run.') created!: number;
  @Member(
    { type: 'object', additionalProperties: { ...COUNT, description: 'How many were left out for this reason.' } },
    'How many were left out so far, by reason.',
  )
  skipped!: Readonly<Record<string, number>>;
  @Member({ ...COUNT, ...OF_SOME }, 'How many the real task would make; only in a dry run.') would_create?: number;
  @Member({ ...COUNT, ...OF_SOME }, 'Of how many events; only in a dry run.') events?: number;
  @Member({ ...COUNT, ...OF_SOME }, 'Of how many appointments; only in a dry run.') appointments?: number;
  @Member({ ...TIME_OR_NULL, ...OF_SOME }, 'When the first of them happened; null where there is none, only in a dry run.')
  oldest_event_at?: string | null;
  @Member({ ...TIME_OR_NULL, ...OF_SOME }, 'When the last of them happened; null where there is none, only in a dry run.')
  newest_event_at?: string | null;
  @Member(
    { type: 'array', items: TEXT, maxItems: 20, ...OF_SOME },
    'The ids of some of the deliveries, of events where there is none; only in a dry run.',
  )
  sample?: readonly string[];
  @Member({ ...COUNT, ...OF_SOME }, 'How many events the endpoint was to get; only of `endpoint.reconcile`.') expected?: number;
  @Member(
    { ...COUNT, ...OF_SOME },
    'How many of them, so far, have neither been received nor are on their way; only of `endpoint.reconcile`.',
  )
  missing?: number;
  @Member({ type: () => UnknownEventsResource, ...OF_SOME }, 'What was received otherwise; only of `endpoint.reconcile`.')
  unknown?: UnknownEventsResource;
  @Member(
    { type: 'object', additionalProperties: { $ref: getSchemaPath(ProjectionRebuildResource) }, selfRequired: false },
    'How far each projection has come, by name; only of `projections.rebuild`.',
  )
  projections?: Readonly<Record<string, ProjectionRebuildResource>>;
}

@ApiSchema({ description: 'Why a task failed.' })
class TaskErrorResource {
  @Member(TEXT, 'A code of the errors of this API.') code!: string;
  @Member(TEXT, 'A sentence for people.') message!: string;
}

@ApiSchema({ description: `Long work, which goes on by itself, whatever process ends. It is kept for ${TASK_WINDOW_DAYS} days.` })
export class TaskResource {
  @Member(idOf('task'), 'Names the task.') id!: string;
  @KindMember('task') object!: 'task';
  @Member({ ...TEXT, example: 'deliveries.retry' }, 'What is done. There may be more kinds in later versions.') kind!: string;
  @Member(one(...TASK_STATUSES), withMeanings('How far it is.', TASK_STATUS)) status!: string;
  @Member(FLAG, 'Whether it only tells what it would do.') dry_run!: boolean;
  @Member(idOrNull('project'), 'The project that it works in; null for the work of an operator.') project_id!: string | null;
  @Member(
    { type: 'object', additionalProperties: true },
    'What was asked for, as it was sent, with the defaults filled in; of a list of ids its count.',
  )
  parameters!: Readonly<Record<string, unknown>>;
  @Member(idOrNull('endpoint'), 'The endpoint that it is about; null for one that is about the whole project.')
  webhook_endpoint_id!: string | null;
  @Member({ type: () => TaskProgressResource }, 'How far it has come.') progress!: TaskProgressResource;
  @Member({ type: () => TaskResultResource, nullable: true }, 'What came of it so far; null while it is pending.')
  result!: TaskResultResource | null;
  @Member({ type: () => TaskErrorResource, nullable: true }, 'Why it failed; null unless it did.')
  error!: TaskErrorResource | null;
  @Member(TIME, 'When it was asked for.') created_at!: string;
  @Member(TIME_OR_NULL, 'When its work began; null until then.') started_at!: string | null;
  @Member(TIME_OR_NULL, 'When it was over, completed or not; null until then.') completed_at!: string | null;
}

export function toTaskResource(task: Task): TaskResource {
  const { id, kind, status, dryRun, projectId, parameters, endpointId, progress, error } = task;
  return {
    id,
    object: 'task',
    kind,
    status,
    dry_run: dryRun,
    project_id: projectId,
    parameters,
    webhook_endpoint_id: endpointId,
    progress: { examined: progress?.examined ?? 0, total: progress?.total ?? null },
    result: progress && toResult(progress),
    error,
    created_at: toTime(task.createdAt),
    started_at: toTime(task.startedAt),
    completed_at: toTime(task.completedAt),
  };
}

function toResult({ matched, created, skipped, details }: TaskProgress): TaskResultResource {
  return { matched, created, skipped, ...details };
}
