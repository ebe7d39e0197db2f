import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { DomainError } from '@domain/kernel/domain-error';
import { Clock } from '@ports/clock.port';
import { Shutdown } from '@application/runtime/shutdown';
import { BodyShare } from './body-share.js';

/** Of those who are in no project: administrators, and whoever would like to be one. */
const NO_PROJECT = '';

/** Keeps one project's bodies from taking the process. */
@Injectable()
export class BodyShares {
  private readonly shares = new Map<string, BodyShare>();

  constructor(
    private readonly clock: Clock,
    private readonly shutdown: Shutdown,
  ) {}

  /** Calls back when this body may be read, or with why it will not be. */
  enter(request: FastifyRequest, bytes: Buffer, done: (error: Error | null) => void): void {
    const { caller, raw } = request;
    // Whoever is gone before it is read has it read for nobody.
    const go = () => {
      const isGone = raw.socket.destroyed;
      done(isGone ? tooMany() : null);
      return !isGone;
    };
    if (!this.shareOf(caller?.projectId ?? NO_PROJECT).enter(bytes, go)) done(tooMany());
  }

  private shareOf(projectId: string): BodyShare {
    const known = this.shares.get(projectId);
    if (known) return known;
    const share = new BodyShare(this.clock, () => this.shutdown.begun.aborted);
    this.shares.set(projectId, share);
    return share;
  }
}

function tooMany(): DomainError {
  return new DomainError('rate_limit_exceeded', 'Too many bodies of thousands of values are sent at once.', { retryAfter: 1 });
}
