import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { DomainError } from '@domain/kernel/domain-error';
import { Clock } from '@ports/clock.port';
import { Shutdown } from '@application/runtime/shutdown';
import { AnswerShare, type AnswerKind } from './answer-share.js';
import { policyOf } from '../routes/route-policy.js';

type Done = (error?: Error) => void;

/** How a request's answer takes part in its project's share. */
export interface Visit {
  readonly share: AnswerShare;
  readonly kind: AnswerKind;
  /** Null until it is answered. */
  bytes: number | null;
}

/** Keeps one project's answers from taking the process: long ones, many at once, or such that nobody takes. */
@Injectable()
export class AnswerShares {
  /** By project and use: its reads have one, what it changes another. */
  private readonly shares = new Map<string, AnswerShare>();

  constructor(
    private readonly clock: Clock,
    private readonly shutdown: Shutdown,
  ) {}

  /** The answer of a request is so long. */
  answered(request: FastifyRequest, bytes: number): void {
    const { visit } = request;
    if (!visit || visit.bytes !== null) return;
    visit.bytes = bytes;
    visit.share.answered(visit.kind, bytes);
  }

  /** Its answer was taken by the client, or never will be. */
  departed(request: FastifyRequest): void {
    const { visit } = request;
    if (!visit) return;
    this.answered(request, 0);
    request.visit = null;
    visit.share.taken(visit.bytes ?? 0);
  }

  /**
   * Calls `done` now or once its answer has room, with an error where too many wait. To be entered behind what refuses
   * requests and before one is looked for that is repeated: its answer is as long. Reads do not keep writes waiting.
   */
  enter(request: FastifyRequest, done: Done): void {
    const { caller } = request;
    const policy = policyOf(request);
    if (!caller || policy?.access !== 'project') return done();
    const use = policy.rate === 'read' ? 'read' : 'write';
    const share = this.shareOf(`${caller.projectId} ${use}`);
    const kind = policy.pages ? 'page' : 'single';
    const go = () => {
      request.visit = { share, kind, bytes: null };
      // Whoever is gone before it is read has it read for nobody.
      done(use === 'read' && request.raw.socket.destroyed ? tooMany() : undefined);
    };
    if (!share.enter(kind, caller.rateLimits[use], go)) done(tooMany());
  }

  private shareOf(use: string): AnswerShare {
    const known = this.shares.get(use);
    if (known) return known;
    const share = new AnswerShare(this.clock, () => this.shutdown.begun.aborted);
    this.shares.set(use, share);
    return share;
  }
}

function tooMany(): DomainError {
  return new DomainError('rate_limit_exceeded', 'Too many long answers are asked for at once.', { retryAfter: 1 });
}
