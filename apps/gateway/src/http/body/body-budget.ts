import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { DomainError } from '@domain/kernel/domain-error';
import { Clock } from '@ports/clock.port';
import { Shutdown } from '@application/runtime/shutdown';
import { ProjectBudget, type BudgetLimits } from '../pipeline/project-budget.js';

/** Shorter bodies are parsed at once: they cost little. */
export const LIGHT_BODY_BYTES = 16 * 1024;
/** Commas, colons and opening brackets parsed per second: a fifth of the time of a usual core. */
const STRUCTURAL_CHARS_PER_SECOND = 200_000;
/** The owner of requests outside any project: admin requests and logins. */
const NO_PROJECT = '';

/** Structural characters decide the cost of parsing: 256 KiB block the event loop for tens of ms. 64 bodies wait: 16 MiB. */
const LIMITS: BudgetLimits = {
  unitsPerSecond: () => STRUCTURAL_CHARS_PER_SECOND,
  savedSeconds: 1 / STRUCTURAL_CHARS_PER_SECOND,
  mostHeld: Infinity,
  mostWaiting: 64,
  pagesAtOnce: () => Infinity,
};

const IS_STRUCTURAL = new Uint8Array(256);
for (const char of Buffer.from(',:[{')) IS_STRUCTURAL[char] = 1;

@Injectable()
export class BodyBudget extends ProjectBudget {
  constructor(clock: Clock, shutdown: Shutdown) {
    super(clock, LIMITS, () => shutdown.begun.aborted);
  }

  /** Calls back when the body may be parsed, or with an error where too many wait or the client has disconnected. */
  admit({ state, raw }: Pick<FastifyRequest, 'state' | 'raw'>, bytes: Buffer, done: (refusal: Error | null) => void): void {
    if (bytes.length <= LIGHT_BODY_BYTES) return done(null);
    const owner = state.caller?.projectId ?? NO_PROJECT;
    const isAdmitted = this.enter(owner, 'single', 0, (slot) => {
      // The client disconnected while queued: skip the work, and charge nothing for it.
      const isGone = raw.socket.destroyed;
      if (!isGone) slot.charge(structuralCharsIn(bytes));
      slot.leave();
      done(isGone ? tooManyHeavyBodies() : null);
    });
    if (!isAdmitted) done(tooManyHeavyBodies());
  }
}

function structuralCharsIn(bytes: Buffer): number {
  let count = 0;
  for (const byte of bytes) count += IS_STRUCTURAL[byte] ?? 0;
  return count;
}

function tooManyHeavyBodies(): DomainError {
  return new DomainError('rate_limit_exceeded', 'Too many bodies of thousands of values are sent at once.', { retryAfter: 1 });
}
