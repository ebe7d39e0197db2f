import { AgentFailed } from '@ports/agent.port';

/** In bytes: more than any answer of a model. Parsing this much of nested brackets takes 0.1 s. */
const LONGEST = 1024 * 1024;
const OWN_HEADERS = ['accept', 'authorization', 'content-type', 'user-agent'];
const BODILESS = [204, 205, 304];

async function textOf(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > LONGEST) throw new AgentFailed('malformed_reply', 'The model server answered without end.');
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AgentFailed('malformed_reply', 'The model server answered with something else than JSON.');
  }
}

/** Drops the headers that the library takes from the environment (`OPENAI_CUSTOM_HEADERS`): they may be meant for another server. */
function ownHeaders(given: RequestInit['headers']): Headers {
  return new Headers([...new Headers(given)].filter(([name]) => OWN_HEADERS.includes(name)));
}

async function exchange(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, { ...init, headers: ownHeaders(init?.headers), redirect: 'manual' });
  const text = await textOf(response);
  const body = BODILESS.includes(response.status) ? null : text;
  const read = new Response(body, { status: response.status, headers: { 'content-type': 'application/json' } });
  if (!response.ok) return read;
  const json = parsed(text);
  return Object.assign(read, { json: async () => json });
}

/** Whether the error is one of the platform's idle time-outs. */
function isIdleTimeout(error: unknown): boolean {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
  return code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT';
}

/**
 * A fetch for the client library that reads the whole body: so the time-out covers the body, memory is bounded, and a body is
 * parsed as JSON whatever its content type. Redirects are not followed: they would send a conversation to a server that the
 * operator did not name. Rejects with `AgentFailed`.
 */
export async function boundedFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  try {
    return await exchange(input, init);
  } catch (error) {
    if (error instanceof AgentFailed) throw error;
    if (init?.signal?.aborted || isIdleTimeout(error))
      throw new AgentFailed('timeout', 'The model server did not answer in time.');
    throw new AgentFailed('unreachable', 'The model server could not be reached.');
  }
}
