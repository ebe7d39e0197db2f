import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '@domain/kernel/domain-error';
import type { EnvelopeActor } from '@domain/kernel/envelope';
import { requestEnvelope, type RequestContext } from '@application/runtime/request-context';
import type { Ids } from '@ports/ids.port';
import { canonicalJson } from '../body/canonical-json.js';
import { membersTaken, type MembersTaken } from '../body/members-taken.js';
import type { Idempotency, Replayed } from '../idempotency/idempotency.js';
import { replayMarks } from '../idempotency/idempotency-record.js';
import { isOfProject, policyOf } from '../routes/routes.js';
import { wantsEvents } from '../server-sent-events/wants-events.js';
import { IDEMPOTENCY_KEY_PATTERN, MAX_IDEMPOTENCY_KEY_LENGTH } from './request-bounds.js';
import { valuesSent } from './values-sent.js';
import { ANSWERED, type PipelineServices, type Step } from './step.js';

const KEY = new RegExp(IDEMPOTENCY_KEY_PATTERN);
/** What administrators do in no project. */
const NO_PROJECT = 'admin';
/** Headers that belong to the body, and the advice on a retry; the others belong to the connection, the moment, or one client's cookie. */
const KEPT_HEADERS = ['content-type', 'service-should-retry', 'retry-after', 'etag'];

/** Refuses with `idempotency_key_invalid`. Routes that are never repeated validate the header and ignore it. */
export const readKey: Step = (request) => {
  const policy = policyOf(request);
  if (!policy) return;
  const key = idempotencyKey(request);
  request.state.key = isOfProject(policy) || !policy.neverRepeated ? key : null;
};

/** Null where keys do not count or none was sent. */
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

/** Also creates the context of every write. Rejects with `idempotency_key_reused` or `idempotency_key_in_use`. */
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
  const policy = policyOf(request);
  const joins = isOfProject(policy) && policy.joins;
  const begun = await idempotency.begin({ scope: keyScopeOf(request), key, ...words, requestId: id, joins });
  if (begun.kind === 'replay' && begun.answer.status === 200 && joins && wantsEvents(request.headers)) {
    state.replayed = begun;
    return undefined;
  }
  if (begun.kind === 'replay') return replay(reply, begun);
  state.claim = begun.kind === 'execute' ? begun.lock : begun.joined;
  const isRetry = begun.kind === 'join' || begun.lock.isRetry;
  const startedAt = begun.kind === 'join' ? begun.joined.startedAt : begun.lock.record.startedAt;
  state.context = keyedContext(request, key, { startedAt, isRetry }, ids);
  return undefined;
}

function replay(reply: FastifyReply, { answer: { status, headers, body }, originalRequest }: Replayed): typeof ANSWERED {
  void reply.status(status).headers(headers).headers(replayMarks(originalRequest)).send(body);
  return ANSWERED;
}

/** Ignored and null members do not distinguish requests: a serializer may have changed between two tries. */
function takenBy(request: FastifyRequest): MembersTaken | null {
  const policy = policyOf(request);
  if (!policy) return null;
  // For an admin's change null means the operator's setting.
  const inChange = isOfProject(policy) ? 'may-empty' : 'count';
  return membersTaken(policy.body, request.method === 'PATCH' ? inChange : 'absent');
}

/** Random ids: the request cannot be repeated. */
function unkeyedContext(request: FastifyRequest, startedAt: number, ids: Ids): RequestContext {
  const { id: requestId } = request;
  const idSeed = [requestId];
  const envelope = requestEnvelope(ids, { startedAt, idSeed }, requestId, actorOf(request));
  const names = { requestId, idempotencyKey: null, commandId: requestId };
  return { projectId: projectOf(request), ...names, startedAt, isRetry: false, idSeed, envelope };
}

/** `commandId` and `idSeed` must never change: a retry may come after an upgrade. */
function keyedContext(
  request: FastifyRequest,
  key: string,
  { startedAt, isRetry }: { readonly startedAt: number; readonly isRetry: boolean },
  ids: Ids,
): RequestContext {
  const { id: requestId } = request;
  const projectId = projectOf(request);
  const idSeed = [keyScopeOf(request), key, String(startedAt)];
  const commandId = ids.uuidOf('request', ...idSeed);
  const envelope = requestEnvelope(ids, { startedAt, idSeed }, requestId, actorOf(request));
  return { projectId, requestId, idempotencyKey: key, startedAt, isRetry, commandId, idSeed, envelope };
}

/**
 * Stores the answer before its first byte is sent. Resolves to what is sent: the key's answer where another execution has kept it
 * meanwhile. Rejects with `StoreUnavailable`.
 */
export async function keepAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  idempotency: Idempotency,
): Promise<unknown> {
  const { claim } = request.state;
  if (!claim) return payload;
  // A failure below becomes an error response, which passes through here again.
  request.state.claim = null;
  const headers: Record<string, string> = {};
  for (const name of KEPT_HEADERS) {
    const value = reply.getHeader(name);
    if (value !== undefined) headers[name] = value as string;
  }
  const policy = policyOf(request);
  const open = isOfProject(policy) && policy.openAnswers;
  const isUnfinished = isOfProject(policy) && policy.joins && reply.statusCode === 202;
  const body = typeof payload === 'string' ? payload : '';
  const originalRequest = reply.getHeader('original-request') as string | undefined;
  try {
    const kept = await idempotency.complete(
      claim,
      { status: reply.statusCode, headers, body },
      { open, originalRequest, isUnfinished },
    );
    if (!kept) return payload;
    void reply.status(kept.answer.status).headers(kept.answer.headers).headers(replayMarks(kept.originalRequest));
    return kept.answer.body;
  } catch (error) {
    for (const name of Object.keys(replayMarks(''))) void reply.removeHeader(name);
    throw error;
  }
}

function projectOf({ state: { caller } }: FastifyRequest): string {
  return caller?.projectId ?? NO_PROJECT;
}

/** A project's clients have a scope, administrators have one in each project and one outside. */
function keyScopeOf(request: FastifyRequest): string {
  const { caller, adminSession } = request.state;
  return caller && adminSession !== null ? `admin ${caller.projectId}` : projectOf(request);
}

function actorOf({ state: { caller, adminSession } }: FastifyRequest): EnvelopeActor {
  if (caller?.keyId) return { type: 'client', id: caller.keyId };
  return adminSession === null ? { type: 'admin' } : { type: 'admin', sessionId: adminSession };
}
