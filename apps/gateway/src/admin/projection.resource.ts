import { ApiSchema } from '@nestjs/swagger';
import { PROJECTION_STATES, type ProjectionStanding } from '@application/projections/standing/projection-standing';
import { COLUMN_TYPES, type Column } from '@application/read-models/columns';
import { toTime } from '@application/read-models/time.resource';
import {
  COUNT,
  COUNT_OR_NULL,
  FLAG,
  idOf,
  KindMember,
  Member,
  one,
  TEXT,
  TEXT_OR_NULL,
  TIME,
  TIME_OR_NULL,
} from '../http/docs/schemas.resource.js';
import { withMeanings } from '../http/docs/with-meanings.js';

type Rebuild = NonNullable<ProjectionStanding['rebuild']>;

const STATE: Readonly<Record<ProjectionStanding['state'], string>> = {
  live: 'lists show what has happened until now.',
  catching_up: 'it works, and lists lack some events yet.',
  rebuilding: 'rows are made anew; lists show those from before.',
  no_process: 'no process runs the projections; lists show what they did until it ended.',
};

const REBUILD_STATE: Readonly<Record<Rebuild['state'], string>> = {
  running: 'it waits, or rows are made; lists show those from before.',
  done: 'lists show the new rows.',
  failed: 'lists show the rows from before; its task says why.',
};

const COLUMN_TYPE: Readonly<Record<Column['type'], string>> = {
  text: 'text.',
  integer: 'a whole number.',
  number: 'a number.',
  boolean: 'true or false.',
  time: 'an instant in UTC, to the millisecond.',
  json: 'JSON, as text in files that cannot nest.',
};

const PERCENT = { type: 'number', minimum: 0, maximum: 100 } as const;

@ApiSchema({ description: 'The process that runs the projections, or ran them last.' })
class ProcessResource {
  @Member(TEXT, 'Names the process, in the log too.') id!: string;
  @Member(TEXT, 'The app; a process that does everything is a `gateway`.') app!: string;
  @Member(TIME, 'Since when it runs them.') since!: string;
}

@ApiSchema({ description: 'The newest rebuild of a projection.' })
class RebuildResource {
  @Member(one(...Object.keys(REBUILD_STATE)), withMeanings('How it stands.', REBUILD_STATE)) state!: Rebuild['state'];
  @Member(PERCENT, 'How much of the log has been read.') percent!: number;
}

@ApiSchema({ description: 'The newest rebuild of a projection that was completed.' })
class LastRebuildResource {
  @Member(idOf('task'), 'The task that did it.') task_id!: string;
  @Member(TIME, 'When it began with this projection.') started_at!: string;
  @Member(TIME_OR_NULL, 'When lists showed the new rows.') completed_at!: string | null;
  @Member(COUNT_OR_NULL, 'How many rows it made.') rows!: number | null;
}

@ApiSchema({ description: 'A column of the files that the rows of a projection are taken home in.' })
class ColumnResource {
  @Member(TEXT, 'Names the column.') name!: string;
  @Member(one(...COLUMN_TYPES), withMeanings('What its values are, those that are null left out.', COLUMN_TYPE)) type!: string;
  @Member(TEXT_OR_NULL, 'The unit of its values; null where they have none.') unit!: string | null;
  @Member(TEXT, 'What its values tell.') meaning!: string;
  @Member(FLAG, 'Whether its values are personal data, and masked unless that is asked for.') personal!: boolean;
}

@ApiSchema({ description: 'A projection: rows that lists show, derived from the log of events.' })
export class ProjectionResource {
  @KindMember('projection') object!: 'projection';
  @Member(TEXT, 'Names the projection.') name!: string;
  @Member(one(...PROJECTION_STATES), withMeanings('What it does.', STATE)) state!: ProjectionStanding['state'];
  @Member(COUNT, 'The version of its rows: another one makes other rows of the same events.') version!: number;
  @Member(COUNT, 'How many rows it has, those that lists do not show any more included.') rows!: number;
  @Member(TEXT, 'The position in the log up to which its rows are stored.') checkpoint!: string;
  @Member(TEXT, 'The position of the last event of the log.') head!: string;
  @Member(COUNT_OR_NULL, 'How many events of the log lie behind its checkpoint, at most; null where the log cannot count them.')
  behind_events!: number | null;
  @Member({ type: 'number', minimum: 0 }, 'As `lag_ms`, in seconds.') behind_seconds!: number;
  @Member(COUNT, 'The age of the oldest event that lists do not show yet, at most, in milliseconds; 0 when they show all.')
  lag_ms!: number;
  @Member(TIME, 'When it last stored rows, or had none to store; as of some seconds ago.') last_progress_at!: string;
  @Member({ type: () => [ColumnResource] }, 'Its columns in files, in their order; none while an earlier version runs it.')
  columns!: readonly ColumnResource[];
  @Member({ type: () => ProcessResource }, 'Who runs it.') process!: ProcessResource;
  @Member({ type: () => RebuildResource, nullable: true }, 'The newest rebuild, whatever came of it; null for none in 30 days.')
  rebuild!: RebuildResource | null;
  @Member({ type: () => LastRebuildResource, nullable: true }, 'The newest completed rebuild; null for none in 30 days.')
  last_rebuild!: LastRebuildResource | null;
  @Member(
    COUNT,
    'How many events it lacks, because they could not be applied: those that `/admin/v1/skipped_events` lists of it.',
  )
  skipped!: number;
  @Member(COUNT, 'How often it has skipped an event since its process started.') quarantined!: number;
  @Member(COUNT, 'How often it had to begin again since its process started.') restarts!: number;
}

export function toProjectionResource(standing: ProjectionStanding): ProjectionResource {
  const { process, lastRebuild, lagMs } = standing;
  return {
    object: 'projection',
    name: standing.name,
    state: standing.state,
    version: standing.version,
    rows: standing.rows,
    checkpoint: standing.checkpoint,
    head: standing.head,
    behind_events: standing.behindEvents,
    behind_seconds: lagMs / 1_000,
    lag_ms: lagMs,
    last_progress_at: toTime(standing.lastProgressAt),
    columns: standing.columns,
    process: { id: process.id, app: process.app, since: toTime(process.since) },
    rebuild: standing.rebuild,
    last_rebuild: lastRebuild && lastRebuildOf(lastRebuild),
    skipped: standing.unresolved,
    quarantined: standing.skipped,
    restarts: standing.restarts,
  };
}

function lastRebuildOf({
  taskId,
  started_at,
  completed_at,
  rows,
}: NonNullable<ProjectionStanding['lastRebuild']>): LastRebuildResource {
  return { task_id: taskId, started_at, completed_at, rows };
}
