import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '@domain/kernel/domain-error';
import type { Scope } from '@domain/project/scope';
import { Clock } from '@ports/clock.port';
import { Ids } from '@ports/ids.port';
import type { Caller } from '@application/projects/caller';
import { AdminAdmission } from './admin-admission.js';
import { AnswerShares } from './answer-shares.js';
import { Authentication } from './authentication.js';
import { validBody } from '../body/body-validation.js';
import { canonicalJson } from '../body/canonical-json.js';
import { EndOfTick } from './end-of-tick.js';
import { Idempotency, type BeginResult } from '../idempotency/idempotency.js';
import { idempotencyKey } from '../idempotency/idempotency-key.js';
import { replayMarks } from '../idempotency/idempotency-record.js';
import { matchedVersion } from './if-match.js';
import { JsonBody, NO_BODY, RefusedBody } from '../body/json-body.js';
import { keyedContext, unkeyedContext } from './request-contexts.js';
import { RateLimits } from './rate-limits.js';
import { policyOf, type RoutePolicy } from '../routes/route-policy.js';

type Done = (error?: Error) => void;

interface Passed {
  /** Null where the request is not to be repeated. */
  readonly key: string | null;
  readonly sent: JsonBody;
}

const ADMIN_SCOPE = 'admin';
/** Who sends a body for longer is asked again who they are. */
const ADMITTED_FOR_MS = 1_000;

/** What a routed request must pass before its handler runs, in the order that decides which error comes first. */
@Injectable()
export class Admission {
  private readonly atEndOfTick = new EndOfTick();

  constructor(
    private readonly rateLimits: RateLimits,
    private readonly idempotency: Idempotency,
    private readonly ids: Ids,
    private readonly clock: Clock,
    private readonly admins: AdminAdmission,
    private readonly authentication: Authentication,
    private readonly answers: AnswerShares,
  ) {}

  install(fastify: FastifyInstance): void {
    fastify.addHook('preHandler', (request, reply, done) => {
      const admission = reply.elapsedTime > ADMITTED_FOR_MS ? this.authentication.admit(request) : null;
      const goOn = () => this.atEndOfTick.do(() => this.preHandler(request, reply, done));
      if (admission) admission.then(goOn, done);
      else goOn();
    });
  }

  private preHandler(request: FastifyRequest, reply: FastifyReply, done: Done): void {
    const policy = policyOf(request);
    if (!policy) return done();
    let passed: Passed;
    try {
      passed = this.passed(policy, request, reply);
    } catch (error) {
      return done(error as Error);
    }
    this.answers.enter(request, (refusal) => (refusal ? done(refusal) : this.begin(request, reply, passed, done)));
  }

  private passed(policy: RoutePolicy, request: FastifyRequest, reply: FastifyReply): Passed {
    const key = idempotencyKey(request);
    this.permit(policy, request, reply);
    const sent = sentBody(request);
    request.body = policy.body ? validBody(policy.body, sent) : undefined;
    if (policy.access === 'project' && policy.versioned) matchedVersion(request.headers);
    const isRepeatable = policy.access === 'project' || !policy.neverRepeated;
    return { key: isRepeatable ? key : null, sent };
  }

  private begin(request: FastifyRequest, reply: FastifyReply, { key, sent }: Passed, done: Done): void {
    if (key !== null) return this.claim(request, reply, key, sent, done);
    if (request.method !== 'GET') request.context = unkeyedContext(scopeOf(request), request.id, this.clock.now());
    done();
  }

  private permit(policy: RoutePolicy, request: FastifyRequest, reply: FastifyReply): void {
    if (policy.access === 'admin') this.admins.permit(request);
    if (policy.access !== 'project') return;
    const { caller } = request;
    if (!caller) throw new DomainError('api_key_missing', 'Send an API key.');
    requireScope(caller, policy.scope);
    this.rateLimits.take(caller, policy.rate, reply);
  }

  private claim(request: FastifyRequest, reply: FastifyReply, key: string, sent: JsonBody, done: Done): void {
    const [path = ''] = request.url.split('?');
    const canonical = `${request.method} ${path}\n${canonicalJson(sent.text)}`;
    const keyed = { scope: scopeOf(request), key, request: canonical, requestId: request.id };
    this.idempotency.begin(keyed).then((begun) => this.proceed(request, reply, key, begun, done), done);
  }

  private proceed(request: FastifyRequest, reply: FastifyReply, key: string, begun: BeginResult, done: Done): void {
    if (begun.kind === 'replay') {
      const { status, headers, body } = begun.answer;
      void reply.status(status).headers(headers).headers(replayMarks(begun.originalRequest)).send(body);
      return;
    }
    const { lock } = begun;
    request.lock = lock;
    request.context = keyedContext(scopeOf(request), request.id, key, lock, this.ids);
    done();
  }
}

function sentBody({ body }: FastifyRequest): JsonBody {
  if (body instanceof RefusedBody) throw body.refusal;
  return body instanceof JsonBody ? body : NO_BODY;
}

function scopeOf({ caller }: FastifyRequest): string {
  return caller?.projectId ?? ADMIN_SCOPE;
}

function requireScope({ scopes }: Caller, scope: Scope): void {
  if (scopes.includes(scope)) return;
  throw new DomainError('insufficient_scope', `This API key lacks the scope ${scope}.`, { extras: { required_scope: scope } });
}
