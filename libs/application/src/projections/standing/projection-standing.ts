import { Query } from '@nestjs/cqrs';
import type { Position } from '@ports/event-store.port';
import type { Column } from '../../read-models/columns.js';
import type { RebuildProgress } from '../rebuilds/rebuild-progress.js';
import type { HostedProjection, HostingProcess } from './host-record.js';

export const PROJECTION_STATES = ['live', 'catching_up', 'rebuilding', 'no_process'] as const;

export type ProjectionState = (typeof PROJECTION_STATES)[number];

/** The state of a projection, known to every process. */
export interface ProjectionStanding extends HostedProjection {
  readonly state: ProjectionState;
  readonly checkpoint: Position;
  readonly head: Position;
  /** The age of the oldest event that lists do not show yet, at most; 0 when they show all. */
  readonly lagMs: number;
  /** Null where the log cannot count its events. */
  readonly behindEvents: number | null;
  readonly rows: number;
  /** Of its files, in their order. Empty where a process of an earlier version runs it. */
  readonly columns: readonly Column[];
  /** The skipped events that are listed of it; `skipped` counts those of its process. */
  readonly unresolved: number;
  readonly process: HostingProcess;
  /** The newest rebuild, whatever came of it. */
  readonly rebuild: { readonly state: 'running' | 'done' | 'failed'; readonly percent: number } | null;
  /** The newest rebuild that was completed. */
  readonly lastRebuild: ({ readonly taskId: string } & RebuildProgress) | null;
}

/** Every projection of the process that runs them, in its order; then those that run in another version beside it. */
export class ListProjections extends Query<readonly ProjectionStanding[]> {}
