import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '@domain/kernel/domain-error';
import type { EnvelopeActor } from '@domain/kernel/envelope';
import { requestEnvelope, type RequestContext } from '@application/runtime/request-context';
import type { Ids } from '@ports/ids.port';
import { canonicalJson } from '../body/canonical-json.js';
import { membersTaken, type MembersTaken } from '../body/members-taken.js';
import type { Idempotency } from '../idempotency/idempotency.js';
import type { IdempotencyLock } from '../idempotency/idempotency-lock.js';
import { replayMarks } from '../idempotency/idempotency-record.js';
import { policyOf } from '../routes/routes.js';
import { IDEMPOTENCY_KEY_PATTERN, MAX_IDEMPOTENCY_KEY_LENGTH } from './request-bounds.js';
import { valuesSent } from './values-sent.js';
import { ANSWERED, type PipelineServices, type Step } from './step.js';

const KEY = new RegExp(IDEMPOTENCY_KEY_PATTERN);
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

/** The key that `Idempotency-Key` names; null where keys do not count or none was sent. */
function idempotencyKey({ method, headers, raw }: FastifyRequest): string | null {
  if (method !== 'POST' && method !== 'PATCH') return null;
  if (headers['idempotency-key'] === undefined) return null;
  const [key = '', ...others] = new Set(valuesSent('idempotency-key', raw));
  if (others.length > 0) {
    throw new DomainError('idempotency_key_invalid', 'Two different Idempotency-Keys are sent.', { param: 'Idempotency-Key' });
  }
  if (key.length <= MAX_IDEMPOTENCY_KEY_LENGTH && KEY.test(key)) return key;
  const message = `Idempotency-Key must be 1 to ${MAX_IDEMPOTENCY_KEY_LENGTH} printable ASCII characters.`;
  throw new DomainError('idempotency_key_invalid', message, { param: 'Idempotency-Key' });
}

/**
 * Claims the key for this execution, or answers with what is kept under it. Rejects with `idempotency_key_reused` or
 * `idempotency_key_in_use`. Makes the context of every write, with a key or without.
 */
export const claimKey: Step = (request, reply, services) => {
  if (!policyOf(request) || request.method === 'GET') return undefined;
  const { state } = request;
  if (state.key !== null) return claim(request, reply, state.key, services);
  state.context = unkeyedContext(request, services.clock.now(), services.ids);
  return undefined;
};

async function claim(request: FastifyRequest, reply: FastifyReply, key: string, { ids, idempotency }: PipelineServices) {
  const { state, id, method, url } = request;
  const [path = ''] = url.split('?');
  const inWords = (taken: MembersTaken | null) => `${method} ${path}\n${canonicalJson(state.body.text, taken)}`;
  const words = { request: inWords(takenBy(request)), formerRequest: () => inWords(null) };
  const begun = await idempotency.begin({ scope: ownerOf(request), key, ...words, requestId: id });
  if (begun.kind === 'execute') {
    state.lock = begun.lock;
    state.context = keyedContext(request, key, begun.lock, ids);
    return undefined;
  }
  const { status, headers, body } = begun.answer;
  void reply.status(status).headers(headers).headers(replayMarks(begun.originalRequest)).send(body);
  return ANSWERED;
}

/** An ignored member, or null for one that is absent, makes no other request: a serializer may have changed between two tries. */
function takenBy(request: FastifyRequest): MembersTaken | null {
  const policy = policyOf(request);
  if (!policy) return null;
  // Null in a change of an administrator goes back to the operator's setting.
  const inChange = policy.access === 'project' ? 'may-empty' : 'count';
  return membersTaken(policy.body, request.method === 'PATCH' ? inChange : 'absent');
}

/** The context of a request without a key: nothing of it can come again. */
function unkeyedContext(request: FastifyRequest, startedAt: number, ids: Ids): RequestContext {
  const { id: requestId } = request;
  const idSeed = [requestId];
  const envelope = requestEnvelope(ids, { startedAt, idSeed }, requestId, actorOf(request));
  const names = { requestId, idempotencyKey: null, commandId: requestId };
  return { projectId: ownerOf(request), ...names, startedAt, isRetry: false, idSeed, envelope };
}

/** The context of a request under a key. What `commandId` and `idSeed` are made of must not change: a retry may come after an upgrade. */
function keyedContext(
  request: FastifyRequest,
  key: string,
  { record: { startedAt }, isRetry }: IdempotencyLock,
  ids: Ids,
): RequestContext {
  const { id: requestId } = request;
  const projectId = ownerOf(request);
  const idSeed = [projectId, key, String(startedAt)];
  const commandId = ids.uuidOf('request', ...idSeed);
  const envelope = requestEnvelope(ids, { startedAt, idSeed }, requestId, actorOf(request));
  return { projectId, requestId, idempotencyKey: key, startedAt, isRetry, commandId, idSeed, envelope };
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

function actorOf({ state: { caller, adminSession } }: FastifyRequest): EnvelopeActor {
  if (caller) return { type: 'client', id: caller.keyId };
  return adminSession === null ? { type: 'admin' } : { type: 'admin', id: adminSession };
}
