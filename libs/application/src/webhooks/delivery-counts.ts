import { Injectable } from '@nestjs/common';
import type { DeliveryEvent } from '@domain/delivery/delivery.events';
import type { SendResult } from '@ports/webhook-sender.port';

@Injectable()
export class DeliveryCounts {
  /** Messages that are not pointers, or contradict their delivery's stream. */
  unreadable = 0;
  stored = 0;
  private readonly attempts = new Map<string, number>();
  private readonly postponed = new Map<string, number>();
  private readonly ended = { succeeded: 0, failed: 0, cancelled: 0 };

  get attemptsByOutcome(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.attempts);
  }

  /** Attempts that this machine could not make, by what it lacked. */
  get postponedByCause(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.postponed);
  }

  get endedByStatus(): Readonly<Record<string, number>> {
    return this.ended;
  }

  noteAttempt(result: SendResult): void {
    if (result.kind === 'hindered') increment(this.postponed, result.cause);
    else increment(this.attempts, result.kind === 'answered' ? `${Math.floor(result.status / 100)}xx` : result.error);
  }

  noteStored(events: readonly DeliveryEvent[]): void {
    if (events.length > 0) this.stored++;
    for (const { type } of events) {
      if (type === 'DeliverySucceeded') this.ended.succeeded++;
      else if (type === 'DeliveryFailed') this.ended.failed++;
      else if (type === 'DeliveryCancelled') this.ended.cancelled++;
    }
  }
}

function increment(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
