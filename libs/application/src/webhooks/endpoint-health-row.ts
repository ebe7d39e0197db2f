import type { AttemptResult, DeliveryEvent, DeliveryTrigger } from '@domain/delivery/delivery.events';
import { afterFailure, afterSuccess, NO_FAILURES, type FailureRun } from '@domain/issue/failure-run';
import type { RowsSchema } from '@ports/read-models.port';
import type { ProjectedRow, SharedChange } from '../read-models/projection.js';
import { causeOfResult } from './cause-of-result.js';

/** Rows that deliveries share: by endpoint id, how it does; beside them the counts of endpoints and projects. */
export const ENDPOINT_HEALTH: RowsSchema = { name: 'endpoint-health', filterFields: [], dueFields: ['failedAt', 'longSince'] };

/** So many deliveries that failed for good since the last success make an endpoint one that fails for long. */
const FAILURES_KEPT = 5;

/** Tests do not count. */
export interface EndpointHealthRow {
  /** Start of the first failed attempt, of any delivery, since the last success; null without one. */
  readonly failingSince: number | null;
  readonly attempts: FailureRun;
  /** The last failed attempt; null before the first. */
  readonly failedAt: number | null;
  /** Deliveries that failed for good, and the last of them. */
  readonly deliveriesFailed: number;
  readonly deliveryFailedAt: number | null;
  /** When the latest deliveries failed for good since the last success, oldest first and at most five. */
  readonly lost: readonly number[];
  /** `failingSince` once there are five of them; null before. */
  readonly longSince: number | null;
}

const WELL: EndpointHealthRow = {
  failingSince: null,
  attempts: NO_FAILURES,
  failedAt: null,
  deliveriesFailed: 0,
  deliveryFailedAt: null,
  lost: [],
  longSince: null,
};

interface Attempted {
  readonly endpointId: string;
  readonly trigger: DeliveryTrigger;
  readonly projectId: string;
}

/** What an attempt changes in its endpoint's row. */
export function healthChanges(event: DeliveryEvent, { endpointId, trigger, projectId }: Attempted): readonly SharedChange[] {
  if (trigger === 'test' || !('result' in event) || event.result === null) return [];
  const { result } = event;
  const project = (before: ProjectedRow<object> | null): ProjectedRow<EndpointHealthRow> | null => {
    const known = (before as ProjectedRow<EndpointHealthRow> | null)?.row ?? WELL;
    const row = event.type === 'DeliverySucceeded' ? succeeded(known, event.at) : failed(known, event, result);
    return before && row === known ? null : { projectId, createdAt: event.at, deleted: false, row };
  };
  return [{ id: endpointId, project }];
}

function succeeded(row: EndpointHealthRow, at: number): EndpointHealthRow {
  const attempts = afterSuccess(row.attempts, at);
  const isWell = row.failingSince === null && attempts === row.attempts;
  return isWell ? row : { ...row, failingSince: null, attempts, lost: [], longSince: null };
}

function failed(row: EndpointHealthRow, { at, type }: DeliveryEvent, result: AttemptResult): EndpointHealthRow {
  const attempts = afterFailure(row.attempts, { at, beganAt: result.startedAt, cause: causeOfResult(result) });
  const failingSince = row.failingSince ?? result.startedAt;
  if (type !== 'DeliveryFailed') return { ...row, failingSince, attempts, failedAt: at };
  const lost = [...row.lost, at].slice(-FAILURES_KEPT);
  return {
    failingSince,
    attempts,
    failedAt: at,
    deliveriesFailed: row.deliveriesFailed + 1,
    deliveryFailedAt: at,
    lost,
    longSince: lost.length === FAILURES_KEPT ? failingSince : null,
  };
}
