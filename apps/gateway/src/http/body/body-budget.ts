import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { DomainError } from '@domain/kernel/domain-error';
import { Clock } from '@ports/clock.port';
import { Shutdown } from '@application/runtime/shutdown';
import { ProjectBudget, type BudgetLimits } from '../pipeline/project-budget.js';

/** Shorter bodies cost little, whatever they hold. */
export const LIGHT_BODY_BYTES = 16 * 1024;
/** Commas, colons and opening brackets that may be parsed in a second: a fifth of the time of a usual core. */
const SIGNS_PER_SECOND = 200_000;
/** The owner of requests outside any project: those of administrators and those to the login. */
const NO_PROJECT = '';

/**
 * In commas, colons and opening brackets: parsing costs what a body holds, not its length. 256 KiB of them take tens of
 * milliseconds, in which no other request is served. At most 64 bodies wait, which is 16 MiB.
 */
const LIMITS: BudgetLimits = {
  unitsPerSecond: () => SIGNS_PER_SECOND,
  savedSeconds: 1 / SIGNS_PER_SECOND,
  mostHeld: Infinity,
  mostWaiting: 64,
  pagesAtOnce: () => Infinity,
};

const IS_SIGN = new Uint8Array(256);
for (const sign of Buffer.from(',:[{')) IS_SIGN[sign] = 1;

/** What parsing each project's bodies may take of the process. */
@Injectable()
export class BodyBudget extends ProjectBudget {
  constructor(clock: Clock, shutdown: Shutdown) {
    super(clock, LIMITS, () => shutdown.begun.aborted);
  }

  /** Calls back when this body may be parsed, or with the refusal where too many wait or the client is gone. */
  admit({ state, raw }: Pick<FastifyRequest, 'state' | 'raw'>, bytes: Buffer, done: (refusal: Error | null) => void): void {
    if (bytes.length <= LIGHT_BODY_BYTES) return done(null);
    const owner = state.caller?.projectId ?? NO_PROJECT;
    const isAdmitted = this.enter(owner, 'single', 0, (slot) => {
      // The client disconnected while queued: skip the work, and charge nothing for it.
      const isGone = raw.socket.destroyed;
      if (!isGone) slot.charge(signsIn(bytes));
      slot.leave();
      done(isGone ? tooManyHeavyBodies() : null);
    });
    if (!isAdmitted) done(tooManyHeavyBodies());
  }
}

function signsIn(bytes: Buffer): number {
  let signs = 0;
  for (const byte of bytes) signs += IS_SIGN[byte] ?? 0;
  return signs;
}

function tooManyHeavyBodies(): DomainError {
  return new DomainError('rate_limit_exceeded', 'Too many bodies of thousands of values are sent at once.', { retryAfter: 1 });
}
