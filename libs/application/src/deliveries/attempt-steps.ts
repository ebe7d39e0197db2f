import { Injectable } from '@nestjs/common';

/** The durable steps of one attempt, in order. A process may die after any of them. */
export const ATTEMPT_STEPS = ['claim', 'send', 'outcome', 'next_tier', 'offset'] as const;

export type AttemptStep = (typeof ATTEMPT_STEPS)[number];

/** Told after each step of an attempt; does nothing, except where somebody wants to see a process die there. */
@Injectable()
export class AttemptSteps {
  reached(_step: AttemptStep): Promise<void> {
    return Promise.resolve();
  }
}
