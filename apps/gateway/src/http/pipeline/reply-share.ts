import { DomainError } from '@domain/kernel/domain-error';
import { MOST_CONNECTIONS } from './request-bounds.js';

/** A quarter of the places: an agent that does not answer holds each until the end of its window. */
const MOST_OF_A_PROJECT = MOST_CONNECTIONS / 4;
const RETRY_AFTER_SECONDS = 2;

/** The place of a request that waits for a reply. The holder must call `leave` once. */
export interface ReplyPlace {
  leave(): void;
}

/** How many requests of one project may wait for their replies, so that others are served meanwhile. */
export class ReplyShare {
  private readonly waiting = new Map<string, number>();

  /** Throws `rate_limit_exceeded` where as many wait as may. */
  enter(projectId: string): ReplyPlace {
    const count = this.waiting.get(projectId) ?? 0;
    if (count >= MOST_OF_A_PROJECT) {
      const message = `${MOST_OF_A_PROJECT} messages of this project wait for their replies already.`;
      throw new DomainError('rate_limit_exceeded', message, { retryAfter: RETRY_AFTER_SECONDS });
    }
    this.waiting.set(projectId, count + 1);
    return { leave: () => this.leave(projectId) };
  }

  private leave(projectId: string): void {
    const left = (this.waiting.get(projectId) ?? 1) - 1;
    if (left > 0) this.waiting.set(projectId, left);
    else this.waiting.delete(projectId);
  }
}
