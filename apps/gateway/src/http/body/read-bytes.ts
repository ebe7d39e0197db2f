import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { DomainError } from '@domain/kernel/domain-error';
import type { Clock } from '@ports/clock.port';
import { MAX_BODY_BYTES, MAX_BODY_CHUNKS } from '../pipeline/request-bounds.js';

/** How long the body of a request that its head already refuses is waited for: it may show a fault that takes precedence. */
const MAX_REFUSED_BODY_MS = 1_000;
const NOTHING = Buffer.alloc(0);

/** A request whose body is under way. */
type Awaited = Pick<FastifyRequest, 'state'>;

/**
 * Reads a body to its end; calls back once. Fails with `request_too_large` as soon as a bound is passed, and with
 * `json_invalid` where the body is cut off. The number of chunks is bounded because a short chunk costs as much as a long one.
 */
export function readBytes(
  { headers, state }: Awaited & Pick<FastifyRequest, 'headers'>,
  payload: Readable,
  clock: Clock,
  done: (error: Error | null, bytes: Buffer) => void,
): void {
  if (Number(headers['content-length']) > MAX_BODY_BYTES) return done(tooLarge(), NOTHING);
  const chunks: Buffer[] = [];
  let size = 0;
  const settle = (error: Error | null) => {
    cancel();
    payload.off('data', take).off('end', end).off('error', breakOff);
    state.inContext(done, error, error ? NOTHING : Buffer.concat(chunks, size));
  };
  const take = (chunk: Buffer) => {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return settle(tooLarge());
    if (chunks.push(chunk) > MAX_BODY_CHUNKS) settle(tooManyChunks());
  };
  const end = () => settle(null);
  const breakOff = () => settle(new DomainError('json_invalid', 'The body could not be read.'));
  const cancel = refuseLate({ state }, clock, settle);
  payload.on('data', take).on('end', end).on('error', breakOff);
}

function tooLarge(): DomainError {
  return new DomainError('request_too_large', `The body may have at most ${MAX_BODY_BYTES / 1024} KiB.`);
}

function tooManyChunks(): DomainError {
  return new DomainError('request_too_large', `The body may come in at most ${MAX_BODY_CHUNKS} chunks.`);
}

/** Reads a body without a type to its end: even one that is sent in chunks may turn out to be none. Calls back once. */
export function readNothing({ state }: Awaited, payload: Readable, clock: Clock, done: (error: Error | null) => void): void {
  const settle = (error: Error | null) => {
    cancel();
    payload.off('data', refuse).off('error', refuse).off('end', accept);
    state.inContext(done, error);
  };
  const refuse = () => settle(unsupported());
  const accept = () => settle(null);
  const cancel = refuseLate({ state }, clock, settle);
  payload.on('data', refuse).on('error', refuse).on('end', accept);
}

/** Refuses a request with a fault in its head, or without a place, if its body does not arrive soon. Returns a function that cancels this. */
function refuseLate({ state }: Awaited, clock: Clock, refuse: (refusal: Error) => void): () => void {
  const { lateRefusal } = state;
  return lateRefusal ? clock.after(MAX_REFUSED_BODY_MS, () => refuse(lateRefusal)) : () => undefined;
}

export function unsupported(): DomainError {
  return new DomainError('content_type_unsupported', 'Send the body as application/json in UTF-8.');
}
