import { Injectable } from '@nestjs/common';
import type { SendResult } from '@ports/webhook-sender.port';

/** What attempts came to since this process started. */
@Injectable()
export class AttemptCounts {
  private readonly counts = new Map<string, number>();

  /** By class of the response's status, else by the error's code. */
  get byOutcome(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.counts);
  }

  note(result: SendResult): void {
    const outcome = result.kind === 'answered' ? `${Math.floor(result.status / 100)}xx` : result.error;
    this.counts.set(outcome, (this.counts.get(outcome) ?? 0) + 1);
  }
}
