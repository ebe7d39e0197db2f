import type { FastifyReply, FastifyRequest } from 'fastify';
import { canonicalJson } from '../body/canonical-json.js';
import type { Idempotency } from '../idempotency/idempotency.js';
import { idempotencyKey } from '../idempotency/idempotency-key.js';
import { replayMarks } from '../idempotency/idempotency-record.js';
import { policyOf } from '../routes/route-policy.js';
import { keyedContext, unkeyedContext } from './request-contexts.js';
import { ANSWERED, type PipelineServices, type Step } from './step.js';

/** The owner of keys outside any project. */
const ADMIN_SCOPE = 'admin';
/** The headers of an answer that belong to its body; the others belong to the connection, the moment, or one client's cookie. */
const KEPT_HEADERS = ['content-type', 'service-should-retry', 'etag'];

/** Reads `Idempotency-Key`; refuses with `idempotency_key_invalid`. Routes that are never repeated check it and ignore it. */
export const readKey: Step = (request) => {
  const policy = policyOf(request);
  if (!policy) return;
  const key = idempotencyKey(request);
  request.state.key = policy.access === 'project' || !policy.neverRepeated ? key : null;
};

/**
 * Claims the key for this execution, or answers with what is kept under it. Rejects with `idempotency_key_reused` or
 * `idempotency_key_in_use`. Makes the context of every write, with a key or without.
 */
export const claimKey: Step = (request, reply, services) => {
  if (!policyOf(request) || request.method === 'GET') return undefined;
  const { state, id } = request;
  if (state.key !== null) return claim(request, reply, state.key, services);
  state.context = unkeyedContext(ownerOf(request), id, services.clock.now());
  return undefined;
};

async function claim(request: FastifyRequest, reply: FastifyReply, key: string, { ids, idempotency }: PipelineServices) {
  const { state, id, method, url } = request;
  const [path = ''] = url.split('?');
  const canonical = `${method} ${path}\n${canonicalJson(state.body.text)}`;
  const begun = await idempotency.begin({ scope: ownerOf(request), key, request: canonical, requestId: id });
  if (begun.kind === 'execute') {
    state.lock = begun.lock;
    state.context = keyedContext(ownerOf(request), id, key, begun.lock, ids);
    return undefined;
  }
  const { status, headers, body } = begun.answer;
  void reply.status(status).headers(headers).headers(replayMarks(begun.originalRequest)).send(body);
  return ANSWERED;
}

/** Stores the answer under its key before its first byte is sent. Rejects with `StoreUnavailable`. */
export async function keepAnswer(request: FastifyRequest, reply: FastifyReply, payload: unknown, idempotency: Idempotency) {
  const { lock } = request.state;
  if (!lock) return;
  // A failure below becomes an error response, which passes through here again.
  request.state.lock = null;
  const headers: Record<string, string> = {};
  for (const name of KEPT_HEADERS) {
    const value = reply.getHeader(name);
    if (value !== undefined) headers[name] = value as string;
  }
  const policy = policyOf(request);
  const open = policy?.access === 'project' && policy.openAnswers;
  const body = typeof payload === 'string' ? payload : '';
  const originalRequest = reply.getHeader('original-request') as string | undefined;
  try {
    await idempotency.complete(lock, { status: reply.statusCode, headers, body }, { open, originalRequest });
  } catch (error) {
    for (const name of Object.keys(replayMarks(''))) void reply.removeHeader(name);
    throw error;
  }
}

function ownerOf({ state: { caller } }: FastifyRequest): string {
  return caller?.projectId ?? ADMIN_SCOPE;
}
