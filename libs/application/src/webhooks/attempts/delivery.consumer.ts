import { Controller, type BeforeApplicationShutdown } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { FIRST_TOPIC, heldUntil } from '@domain/delivery/tiers';
import { Clock } from '@ports/clock.port';
import type { ConsumeResult } from '@ports/message-bus.port';
import { Settings } from '@ports/settings.port';
import { DeliveryCounts } from '../delivery-counts.js';
import { parsePointer } from '../delivery-pointer.js';
import { AttemptScheduler } from './attempt-scheduler.js';
import { AttemptRunner } from './attempt-runner.js';
import { HeldHeads, type MessageOffset } from './held-heads.js';

const DROPPED: ConsumeResult = { kind: 'accepted', done: Promise.resolve() };

/**
 * Consumes the pointers of every topic: a tier holds them until they are due, and what it does not hold goes to the scheduler. While
 * deliveries are on hold it drops them: the sweep of the next start finds what is due, in the order of its events.
 */
@Controller()
export class DeliveryConsumer implements BeforeApplicationShutdown {
  private readonly heads: HeldHeads;

  constructor(
    private readonly runner: AttemptRunner,
    private readonly scheduler: AttemptScheduler,
    private readonly settings: Settings,
    private readonly clock: Clock,
    private readonly counts: DeliveryCounts,
  ) {
    this.heads = new HeldHeads(clock);
  }

  @EventPattern([FIRST_TOPIC, `${FIRST_TOPIC}.retry.*`])
  onPointer(@Payload() value: unknown, @Ctx() message: MessageOffset): ConsumeResult {
    const pointer = parsePointer(value);
    if (!pointer) {
      this.counts.unreadable++;
      return DROPPED;
    }
    if (this.settings.webhookDelivery === 'hold') return DROPPED;
    const until = heldUntil(this.settings.retrySchedule, message.topic, pointer, this.clock.now());
    const isHeld = until !== null && this.heads.mayHold(message, until);
    return isHeld ? { kind: 'held', until } : this.scheduler.admit(pointer, this.runner);
  }

  /** Waits for the attempts under way: the store must not close before their outcomes are stored. */
  beforeApplicationShutdown(): Promise<void> {
    return this.scheduler.settled();
  }
}
