import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createUnzip } from 'node:zlib';
import type { Pool } from 'undici';
import { AgentFailed } from '@ports/agent.port';
import { AnswerBody } from './answer-body.js';
import { modelFailureIn, modelFailureOf } from './model-failure.js';
import type { Wire } from './wire.js';

/** Larger than any valid answer: in a stream of events each of 30,000 tokens may take 500 bytes. */
const MAX_BYTES = 16 * 1024 * 1024;
const OWN_HEADERS = ['accept', 'authorization', 'content-type', 'user-agent'];
/** Defaults, which the operator can override. Some servers refuse requests without a `User-Agent`. */
const DEFAULT_HEADERS = { 'accept-encoding': 'gzip, deflate, br', 'user-agent': 'node' };
const DECOMPRESSORS: Readonly<Record<string, () => Transform>> = {
  gzip: createUnzip,
  'x-gzip': createUnzip,
  deflate: createUnzip,
  br: createBrotliDecompress,
};

function decompressed(body: Readable, coding: string | null): Readable {
  const decompressor = DECOMPRESSORS[coding?.toLowerCase() ?? '']?.();
  return decompressor ? pipeline(body, decompressor, () => undefined) : body;
}

async function readInto(read: AnswerBody, body: Readable): Promise<void> {
  const decoder = new TextDecoder();
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new AgentFailed('malformed_reply', "The model server's answer is too long.");
    read.add(decoder.decode(chunk, { stream: true }));
    if (read.isDone) return;
  }
  read.add(decoder.decode());
}

/** Drops headers that the library takes from the environment (`OPENAI_CUSTOM_HEADERS`): they may be meant for another server. */
function ownHeaders(given: RequestInit['headers'], more: ModelHeaders): Record<string, string> {
  const own = Array.from(new Headers(given)).filter(([name]) => OWN_HEADERS.includes(name));
  const operators = Object.entries(more).map(([name, value]) => [name.toLowerCase(), value] as const);
  return { ...DEFAULT_HEADERS, ...Object.fromEntries(own), ...Object.fromEntries(operators) };
}

async function exchange(pool: Pool, url: string, init: RequestInit, { headers: more = {}, arrived }: Reading): Promise<Response> {
  const { pathname, search } = new URL(url);
  const answer = await pool.request({
    path: pathname + search,
    method: 'POST',
    headers: ownHeaders(init.headers, more),
    body: init.body as string,
    signal: init.signal,
  });
  const headers = new Headers(answer.headers as Record<string, string>);
  const { statusCode: status } = answer;
  const isRefusal = status < 200 || status > 299;
  const read = new AnswerBody(isRefusal ? undefined : arrived);
  await readInto(read, decompressed(answer.body, headers.get('content-encoding')));
  const body = read.read();
  if (isRefusal) throw modelFailureOf(status, headers, read.beginning, body);
  const failure = modelFailureIn(body, headers);
  if (failure !== null) throw failure;
  if (body === undefined) throw new AgentFailed('malformed_reply', 'The model server did not answer with JSON.');
  return Object.assign(new Response(null, { headers: { 'content-type': 'application/json' } }), { json: async () => body });
}

function isIdleTimeout(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT';
}

export type ModelHeaders = Readonly<Record<string, string>>;

interface Reading {
  /** Added to the request. */
  readonly headers?: ModelHeaders;
  /** Gets the message of a streamed answer as far as it has come, after each piece. */
  readonly arrived?: (message: Wire) => void;
}

/** The fetch that the client library takes. It passes the URL and the body as strings. */
type Fetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * Reads the body itself, whatever its content type, within the timeout and a limit of bytes. Follows no redirect, which would send
 * a conversation to a server the operator did not name. Rejects with `AgentFailed`, also for a status other than 2xx.
 */
export function boundedFetch(pool: Pool, reading: Reading = {}): Fetch {
  return async (url, init = {}) => {
    try {
      return await exchange(pool, url as string, init, reading);
    } catch (error) {
      if (error instanceof AgentFailed) throw error;
      if (init.signal?.aborted || isIdleTimeout(error))
        throw new AgentFailed('timeout', 'The model server did not answer in time.');
      throw new AgentFailed('unreachable', 'The model server could not be reached.');
    }
  };
}
