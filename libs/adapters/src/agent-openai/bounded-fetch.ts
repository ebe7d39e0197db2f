import { AgentFailed } from '@ports/agent.port';
import { isDone, readAnswerBody } from './answer-body.js';
import { modelFailureIn, modelFailureOf } from './model-failure.js';

/** In bytes: more than any answer of a model, be it streamed. */
const MAX_BYTES = 4 * 1024 * 1024;
const OWN_HEADERS = ['accept', 'authorization', 'content-type', 'user-agent'];

async function textOf(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) throw new AgentFailed('malformed_reply', 'The model server answered without end.');
    text += decoder.decode(chunk, { stream: true });
    if (isDone(text)) return text;
  }
  return text + decoder.decode();
}

/** Drops the headers that the library takes from the environment (`OPENAI_CUSTOM_HEADERS`): they may be meant for another server. */
function ownHeaders(given: RequestInit['headers'], more: ModelHeaders): Headers {
  const headers = new Headers([...new Headers(given)].filter(([name]) => OWN_HEADERS.includes(name)));
  for (const [name, value] of Object.entries(more)) headers.set(name, value);
  return headers;
}

async function exchange(input: string | URL | Request, init: RequestInit | undefined, more: ModelHeaders): Promise<Response> {
  const response = await fetch(input, { ...init, headers: ownHeaders(init?.headers, more), redirect: 'manual' });
  const text = await textOf(response);
  const body = readAnswerBody(text);
  if (!response.ok) throw modelFailureOf(response.status, response.headers, text, body);
  const failure = modelFailureIn(body, response.headers);
  if (failure !== null) throw failure;
  if (body === undefined) throw new AgentFailed('malformed_reply', 'The model server answered with something else than JSON.');
  return Object.assign(new Response(null, { headers: { 'content-type': 'application/json' } }), { json: async () => body });
}

/** Whether the error is one of the platform's idle time-outs. */
function isIdleTimeout(error: unknown): boolean {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
  return code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT';
}

/** Headers of the operator's. */
export type ModelHeaders = Readonly<Record<string, string>>;

/**
 * A fetch for the client library that reads the whole body: so the time-out covers the body, memory is bounded, and a body is
 * read whatever its content type. Redirects are not followed: they would send a conversation to a server that the operator did
 * not name. Rejects with `AgentFailed`, also for a status other than 2xx.
 */
export function boundedFetch(more: ModelHeaders = {}): (input: string | URL | Request, init?: RequestInit) => Promise<Response> {
  return async (input, init) => {
    try {
      return await exchange(input, init, more);
    } catch (error) {
      if (error instanceof AgentFailed) throw error;
      if (init?.signal?.aborted || isIdleTimeout(error))
        throw new AgentFailed('timeout', 'The model server did not answer in time.');
      throw new AgentFailed('unreachable', 'The model server could not be reached.');
    }
  };
}
