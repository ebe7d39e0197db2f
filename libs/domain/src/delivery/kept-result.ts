import { MASKED_VALUE } from '../endpoint/custom-headers.js';
import { jsonBytes, jsonPrefix } from '../kernel/json-prefix.js';
import type { AttemptResult } from './delivery.events.js';

/** The bytes kept of an answer's body, for attempts between the first and the last three. */
const LITTLE_BYTES = 1_024;
/** The last attempts of the schedule keep the whole body, as the first does. */
const LAST = 3;
/** The bytes kept of the request's headers, in JSON. */
const REQUEST_HEADER_BYTES = 2 * 1_024;
/** JSON escapes may make a stored body longer by this share. */
const ESCAPES = 1 / 16;

/** The beginning of a body in whole characters, at most `mostBytes`; shorter if JSON would escape much of it. */
export function keptBody(text: string, mostBytes: number): string {
  return jsonPrefix(text, mostBytes * (1 + ESCAPES), mostBytes);
}

/** The result as stored: an event to many failing endpoints has hundreds of attempts. */
export function keptResult(whole: AttemptResult, maxAttempts: number): AttemptResult {
  const result = withKeptHeaders(whole);
  const { attempt, body } = result;
  if (body === null || attempt === 1 || attempt > maxAttempts - LAST) return result;
  const kept = keptBody(body, LITTLE_BYTES);
  return kept === body ? result : { ...result, body: kept, bodyTruncated: true };
}

/** Custom headers, whose values are masked, say least: they are left out first. */
function withKeptHeaders(result: AttemptResult): AttemptResult {
  const { requestHeaders } = result;
  if (!requestHeaders) return result;
  const sizeOf = ([name, value]: [string, string]) => jsonBytes(name) + jsonBytes(value) + '"":"",'.length;
  const entries = Object.entries(requestHeaders);
  const own = entries.filter(([, value]) => value !== MASKED_VALUE);
  let left = own.reduce((room, each) => room - sizeOf(each), REQUEST_HEADER_BYTES);
  const kept = entries.filter((each) => each[1] !== MASKED_VALUE || (left -= sizeOf(each)) >= 0);
  return kept.length === entries.length ? result : { ...result, requestHeaders: Object.fromEntries(kept) };
}
