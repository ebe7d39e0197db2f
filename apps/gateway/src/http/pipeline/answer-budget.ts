import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { DomainError } from '@domain/kernel/domain-error';
import { Clock } from '@ports/clock.port';
import { Shutdown } from '@application/runtime/shutdown';
import { policyOf } from '../routes/routes.js';
import { ProjectBudget, type BudgetLimits } from './project-budget.js';
import { MAX_CONNECTIONS } from './request-bounds.js';

/** Average answer size, in bytes: a project with larger answers gets fewer. */
const BYTES_PER_ANSWER = 64 * 1_024;
/** The minimum used for projects with a lower rate limit. */
const USUAL_RATE = 100;

/** In bytes. An answer of a megabyte blocks the process for tens of milliseconds, and stays in memory until it is read. */
const LIMITS: BudgetLimits = {
  unitsPerSecond: (requests) => (requests === 0 ? 0 : Math.max(requests, USUAL_RATE) * BYTES_PER_ANSWER),
  savedSeconds: 1,
  mostHeld: 16 * 1_048_576,
  mostWaiting: MAX_CONNECTIONS,
  pagesAtOnce: (usualBytes) => (usualBytes > BYTES_PER_ANSWER ? 2 : 16),
};

/** Limits each project's answers, separately for reads and writes. */
@Injectable()
export class AnswerBudget extends ProjectBudget {
  constructor(clock: Clock, shutdown: Shutdown) {
    super(clock, LIMITS, () => shutdown.begun.aborted);
  }

  /** Waits for room; throws or rejects with `rate_limit_exceeded`. Separate budgets, so that reads do not delay writes. */
  reserve(request: FastifyRequest): void | Promise<void> {
    const { caller } = request.state;
    const policy = policyOf(request);
    if (!caller || policy?.access !== 'project') return undefined;
    const use = policy.rate === 'read' ? 'read' : 'write';
    let isRefused = false;
    let isStarted = false;
    let goOn = (): void => undefined;
    const kind = policy.pages ? 'page' : 'single';
    const isAccepted = this.enter(`${caller.projectId} ${use}`, kind, caller.rateLimits[use], (slot) => {
      request.state.answerSlot = slot;
      // The client disconnected while queued: skip the read. A write is executed all the same.
      isRefused = use === 'read' && request.raw.socket.destroyed;
      isStarted = true;
      goOn();
    });
    if (!isAccepted) throw tooManyLongAnswers();
    const settled = () => {
      if (isRefused) throw tooManyLongAnswers();
    };
    if (isStarted) return settled();
    return new Promise<void>((resolve) => (goOn = resolve)).then(settled);
  }
}

function tooManyLongAnswers(): DomainError {
  return new DomainError('rate_limit_exceeded', 'Too many long answers are asked for at once.', { retryAfter: 1 });
}
