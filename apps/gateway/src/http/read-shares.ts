import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DomainError } from '@domain/kernel/domain-error';
import { Clock } from '@ports/clock.port';
import { Shutdown } from '@application/shutdown';
import { ReadShare, type ReadKind } from './read-share.js';
import { policyOf } from './route-policy.js';

type Done = (error?: Error) => void;

interface Reading {
  readonly share: ReadShare;
  readonly kind: ReadKind;
  /** Null until it is answered. */
  bytes: number | null;
}

/** Keeps one project's reads from taking the process: long answers, many at once, or answers that nobody takes. */
@Injectable()
export class ReadShares {
  private readonly shares = new Map<string, ReadShare>();
  private readonly readings = new Map<FastifyRequest, Reading>();

  constructor(
    private readonly clock: Clock,
    private readonly shutdown: Shutdown,
  ) {}

  /** To be installed behind what refuses requests: only those that will be carried out wait here. */
  install(fastify: FastifyInstance): void {
    fastify.addHook('preHandler', (request, _reply, done) => this.enter(request, done));
  }

  /** The answer of a request is so long. */
  answered(request: FastifyRequest, bytes: number): void {
    const reading = this.readings.get(request);
    if (!reading || reading.bytes !== null) return;
    reading.bytes = bytes;
    reading.share.answered(reading.kind, bytes);
  }

  /** Its answer was taken by the client, or never will be. */
  departed(request: FastifyRequest): void {
    const reading = this.readings.get(request);
    if (!reading) return;
    this.answered(request, 0);
    this.readings.delete(request);
    reading.share.taken(reading.bytes ?? 0);
  }

  private enter(request: FastifyRequest, done: Done): void {
    const { caller } = request;
    const policy = policyOf(request);
    if (!caller || policy?.access !== 'project' || policy.rate !== 'read') return done();
    const share = this.shareOf(caller.projectId);
    const kind = policy.pages ? 'page' : 'single';
    const go = () => {
      this.readings.set(request, { share, kind, bytes: null });
      // Whoever is gone before it is carried out has it carried out for nobody.
      done(request.raw.socket.destroyed ? tooMany() : undefined);
    };
    if (!share.enter(kind, caller.rateLimits.read, go)) done(tooMany());
  }

  private shareOf(projectId: string): ReadShare {
    const known = this.shares.get(projectId);
    if (known) return known;
    const share = new ReadShare(this.clock, () => this.shutdown.begun.aborted);
    this.shares.set(projectId, share);
    return share;
  }
}

function tooMany(): DomainError {
  return new DomainError('rate_limit_exceeded', 'Too many long answers are asked for at once.', { retryAfter: 1 });
}
