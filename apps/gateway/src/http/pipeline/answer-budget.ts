import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { DomainError } from '@domain/kernel/domain-error';
import { Clock } from '@ports/clock.port';
import { Shutdown } from '@application/runtime/shutdown';
import { policyOf } from '../routes/routes.js';
import { ProjectBudget, type BudgetLimits } from './project-budget.js';
import { MAX_CONNECTIONS } from './request-bounds.js';

/** How long an answer may be on average, in bytes: a project that asks for longer ones gets fewer. */
const BYTES_PER_ANSWER = 64 * 1_024;
/** A project whose rate limit is lower is answered as much. */
const USUAL_RATE = 100;

/** In bytes. One answer of a megabyte occupies the process for tens of milliseconds, and lies in memory until its client takes it. */
const LIMITS: BudgetLimits = {
  unitsPerSecond: (requests) => (requests === 0 ? 0 : Math.max(requests, USUAL_RATE) * BYTES_PER_ANSWER),
  savedSeconds: 1,
  mostHeld: 16 * 1_048_576,
  mostWaiting: MAX_CONNECTIONS,
  pagesAtOnce: (usualBytes) => (usualBytes > BYTES_PER_ANSWER ? 2 : 16),
};

/** What the answers to each project's reads, and apart from them to its writes, may take of the process. */
@Injectable()
export class AnswerBudget extends ProjectBudget {
  constructor(clock: Clock, shutdown: Shutdown) {
    super(clock, LIMITS, () => shutdown.begun.aborted);
  }

  /**
   * Waits until the project's answers leave room for one more; throws or rejects with `rate_limit_exceeded`. Reads and writes
   * have budgets of their own, so that reads do not keep writes waiting.
   */
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
      // The client disconnected while queued: skip the read. A write is carried out all the same.
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
