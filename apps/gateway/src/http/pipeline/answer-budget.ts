import { Injectable } from '@nestjs/common';
import { DomainError } from '@domain/kernel/domain-error';
import { Clock } from '@ports/clock.port';
import { Shutdown } from '@application/runtime/shutdown';
import { ProjectBudget, type BudgetLimits } from './project-budget.js';
import { MOST_CONNECTIONS } from './request-bounds.js';

/** How long an answer may be on average, in bytes: a project that asks for longer ones gets fewer. */
const BYTES_PER_ANSWER = 64 * 1_024;
/** A project whose rate limit is lower is answered as much. */
const USUAL_RATE = 100;

/** In bytes. One answer of a megabyte occupies the process for tens of milliseconds, and lies in memory until its client takes it. */
const LIMITS: BudgetLimits = {
  unitsPerSecond: (requests) => (requests === 0 ? 0 : Math.max(requests, USUAL_RATE) * BYTES_PER_ANSWER),
  savedSeconds: 1,
  mostHeld: 16 * 1_048_576,
  mostWaiting: MOST_CONNECTIONS,
  pagesAtOnce: (usualBytes) => (usualBytes > BYTES_PER_ANSWER ? 2 : 16),
};

/** What the answers to each project's reads, and apart from them to its writes, may take of the process. */
@Injectable()
export class AnswerBudget extends ProjectBudget {
  constructor(clock: Clock, shutdown: Shutdown) {
    super(clock, LIMITS, () => shutdown.begun.aborted);
  }
}

export function tooManyLongAnswers(): DomainError {
  return new DomainError('rate_limit_exceeded', 'Too many long answers are asked for at once.', { retryAfter: 1 });
}
