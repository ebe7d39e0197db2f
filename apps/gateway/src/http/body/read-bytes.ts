import type { FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import { DomainError } from '@domain/kernel/domain-error';
import { MOST_BODY_BYTES, MOST_BODY_CHUNKS } from '../pipeline/request-bounds.js';

/**
 * Reads a body to its end; calls back once. Fails with `request_too_large` as soon as a bound is passed, and with
 * `json_invalid` where the body is cut off. The number of chunks is bounded because a short chunk costs as much as a long one.
 */
export function readBytes(
  { headers }: FastifyRequest,
  payload: Readable,
  done: (error: Error | null, bytes: Buffer) => void,
): void {
  if (Number(headers['content-length']) > MOST_BODY_BYTES) return done(tooLarge(), NOTHING);
  const chunks: Buffer[] = [];
  let size = 0;
  const settle = (error: Error | null) => {
    payload.off('data', take).off('end', end).off('error', breakOff);
    done(error, error ? NOTHING : Buffer.concat(chunks, size));
  };
  const take = (chunk: Buffer) => {
    size += chunk.length;
    if (size > MOST_BODY_BYTES) return settle(tooLarge());
    if (chunks.push(chunk) > MOST_BODY_CHUNKS) settle(tooManyChunks());
  };
  const end = () => settle(null);
  const breakOff = () => settle(new DomainError('json_invalid', 'The body could not be read.'));
  payload.on('data', take).on('end', end).on('error', breakOff);
}

const NOTHING = Buffer.alloc(0);

function tooLarge(): DomainError {
  return new DomainError('request_too_large', `The body may have at most ${MOST_BODY_BYTES / 1024} KiB.`);
}

function tooManyChunks(): DomainError {
  return new DomainError('request_too_large', `The body may come in at most ${MOST_BODY_CHUNKS} chunks.`);
}
