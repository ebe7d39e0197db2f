import type { RequestContext } from '@application/runtime/request-context';
import type { Ids } from '@ports/ids.port';
import type { IdempotencyLock } from '../idempotency/idempotency-lock.js';

/** Of a request without a key: nothing of it can come again. */
export function unkeyedContext(projectId: string, requestId: string, now: number): RequestContext {
  const idSeed = [requestId];
  return { projectId, requestId, idempotencyKey: null, startedAt: now, isRetry: false, commandId: requestId, idSeed };
}

/** Of a request under a key. What `commandId` and `idSeed` are made of must not change: a retry may come after an upgrade. */
export function keyedContext(
  projectId: string,
  requestId: string,
  key: string,
  { record, isRetry }: IdempotencyLock,
  ids: Ids,
): RequestContext {
  const { startedAt } = record;
  const idSeed = [projectId, key, String(startedAt)];
  const commandId = ids.uuidOf('request', ...idSeed);
  return { projectId, requestId, idempotencyKey: key, startedAt, isRetry, commandId, idSeed };
}
