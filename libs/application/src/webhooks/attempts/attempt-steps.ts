import { Injectable } from '@nestjs/common';

/** The durable steps from an event to the end of an attempt, in order. A process may die after any of them. */
export type AttemptStep = 'schedule' | 'publish' | 'claim' | 'send' | 'outcome' | 'next_tier' | 'offset';

/** Told after each of these steps; does nothing, except where somebody wants to see a process die there. */
@Injectable()
export class AttemptSteps {
  reached(_step: AttemptStep): Promise<void> {
    return Promise.resolve();
  }
}
