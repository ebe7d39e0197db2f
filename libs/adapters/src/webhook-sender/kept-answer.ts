import { keptBody } from '@domain/delivery/kept-result';
import { jsonBytes, jsonPrefix } from '@domain/kernel/json-prefix';
import type { SendResult } from '@ports/webhook-sender.port';
import type { RawAnswer } from './exchange.js';
import type { Field } from './head-reader.js';
import type { Mask } from './masks.js';
import { responseText } from './response-text.js';

type Kept = Pick<
  Extract<SendResult, { kind: 'answered' }>,
  'kind' | 'status' | 'headers' | 'headersTruncated' | 'body' | 'bodyTruncated'
>;

const MAX_BODY_BYTES = 16 * 1024;
const MAX_HEADER_BYTES = 2 * 1024;
const MAX_VALUE_LENGTH = 1024;
/** A redirect may carry a secret. */
const MAX_LOCATION_LENGTH = 200;
/** Kept first: they say what to do and by which clock, or how to read the body. */
const FIRST = ['retry-after', 'date', 'location', 'content-type', 'content-length'];

/** The delivery log's record of an answer: readable, bounded, and with secrets masked before anything is cut. */
export async function keptAnswer(raw: RawAnswer, mask: Mask): Promise<Kept> {
  const whole = merged(raw.fields);
  const { text, isWhole } = await responseText({ bytes: raw.body, isWhole: raw.isComplete }, (name) => whole.get(name));
  const masked = text === null ? null : mask(text, !isWhole);
  const body = masked === null ? null : keptBody(masked, MAX_BODY_BYTES);
  const { headers, isTruncated } = keptHeaders(whole, mask, raw.headersTruncated);
  return {
    kind: 'answered',
    status: raw.status,
    headers,
    body,
    headersTruncated: raw.headersTruncated || isTruncated,
    bodyTruncated: !isWhole || body !== masked,
  };
}

function keptHeaders(whole: ReadonlyMap<string, string>, mask: Mask, mayBeCut: boolean) {
  const kept: [string, string][] = [];
  let left = MAX_HEADER_BYTES;
  let isTruncated = false;
  for (const [name, value] of inOrder(whole)) {
    const masked = mask(value, mayBeCut);
    const room = Math.min(left - name.length, name === 'location' ? MAX_LOCATION_LENGTH : MAX_VALUE_LENGTH);
    const text = jsonPrefix(masked, Math.max(room, 0));
    if (text !== masked) isTruncated = true;
    if (room < 0 || (text === '' && masked !== '')) continue;
    kept.push([name, text]);
    left -= name.length + jsonBytes(text);
  }
  return { headers: Object.fromEntries(kept), isTruncated: isTruncated || kept.length < whole.size };
}

function inOrder(whole: ReadonlyMap<string, string>): readonly (readonly [string, string])[] {
  const first = FIRST.filter((name) => whole.has(name)).map((name) => [name, whole.get(name) ?? ''] as const);
  return [...first, ...[...whole].filter(([name]) => !FIRST.includes(name))];
}

function merged(fields: readonly Field[]): ReadonlyMap<string, string> {
  const whole = new Map<string, string>();
  for (const [name, value] of fields) {
    const before = whole.get(name);
    whole.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return whole;
}
