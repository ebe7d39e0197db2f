import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { DomainError } from '@domain/kernel/domain-error';
import type { Clock } from '@ports/clock.port';
import { MAX_BODY_BYTES, MAX_BODY_CHUNKS } from '../pipeline/request-bounds.js';

/** How long to wait for the body of a request whose head is already refused: a fault in the body may take precedence. */
const MAX_REFUSED_BODY_MS = 1_000;
const NOTHING = Buffer.alloc(0);

type Awaited = Pick<FastifyRequest, 'state'>;

/**
 * Fails with `request_too_large` or, if cut off, `json_invalid`. Limits the number of chunks: short ones cost as much as long
 * ones.
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

/** Reads a body without a content type: even one with chunked encoding may turn out empty. Calls back once. */
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

/** If the head is refused or the connection is in reserve, limits the wait for the body. Returns a function that cancels this. */
function refuseLate({ state }: Awaited, clock: Clock, refuse: (refusal: Error) => void): () => void {
  const { lateRefusal } = state;
  return lateRefusal ? clock.after(MAX_REFUSED_BODY_MS, () => refuse(lateRefusal)) : () => undefined;
}

export function unsupported(): DomainError {
  return new DomainError('content_type_unsupported', 'Send the body as application/json in UTF-8.');
}
