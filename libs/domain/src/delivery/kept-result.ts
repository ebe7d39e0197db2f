import { jsonPrefix } from '../kernel/json-prefix.js';
import type { AttemptResult } from './delivery.events.js';

/** The body that an attempt between the first and the last three keeps of its answer, in bytes. */
const LITTLE_BYTES = 1_024;
/** The last numbers of the schedule whose attempts keep the whole body, as the first does: what changed in between matters less. */
const LAST = 3;
/** The share by which a body may be longer in the store, where it is written in JSON, than alone: texts have few escapes. */
const ESCAPES = 1 / 16;

/** The beginning of a body with at most so many bytes, whole characters; less where it would have many escapes on disk. */
export function keptBody(text: string, mostBytes: number): string {
  return jsonPrefix(text, mostBytes * (1 + ESCAPES), mostBytes);
}

/** The result as it is stored: an event to many endpoints that all fail has attempts by the hundred (api-contract §17.28). */
export function keptResult(result: AttemptResult, maxAttempts: number): AttemptResult {
  const { attempt, body } = result;
  if (body === null || attempt === 1 || attempt > maxAttempts - LAST) return result;
  const kept = keptBody(body, LITTLE_BYTES);
  return kept === body ? result : { ...result, body: kept, bodyTruncated: true };
}
