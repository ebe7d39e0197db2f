import type { ProjectionStatus } from '@application/projections/projection-runners';
import { toTime } from '@application/read-models/time.resource';

/** The state of a projection. */
export function toProjectionResource(status: ProjectionStatus) {
  const { name, checkpoint, head, lagMs, lastProgressAt, rebuild, skipped, restarts } = status;
  return {
    object: 'projection',
    name,
    checkpoint,
    head,
    lag_ms: lagMs,
    last_progress_at: toTime(lastProgressAt),
    rebuild: rebuild && { state: rebuild.state, percent: rebuild.percent },
    quarantined: skipped,
    restarts,
  };
}
