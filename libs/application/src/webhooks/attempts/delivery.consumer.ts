import { Controller, Inject, type BeforeApplicationShutdown } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { FIRST_TOPIC, heldUntil } from '@domain/delivery/tiers';
import { Clock } from '@ports/clock.port';
import type { BusMessage, ConsumeResult } from '@ports/message-bus.port';
import { Settings } from '@ports/settings.port';
import { DeliveryCounts } from '../delivery-counts.js';
import { parsePointer } from '../delivery-pointer.js';
import { DeliveryTopics } from '../delivery-topics.js';
import { AttemptScheduler } from './attempt-scheduler.js';
import type { AttemptWork } from './attempt-work.js';
import { TracedAttempts } from './traced-attempts.js';
import { HeldHeads } from './held-heads.js';

const DROPPED: ConsumeResult = { kind: 'accepted', done: Promise.resolve() };

/**
 * A tier holds pointers until they are due, and passes them on to the first topic. All attempts are made from there, so those of an
 * endpoint by the one process that has its partition. Drops pointers while deliveries are on hold: the next start's sweep finds them in order.
 */
@Controller()
export class DeliveryConsumer implements BeforeApplicationShutdown {
  private readonly heads: HeldHeads;

  constructor(
    @Inject(TracedAttempts) private readonly attempts: AttemptWork,
    private readonly scheduler: AttemptScheduler,
    private readonly topics: DeliveryTopics,
    private readonly settings: Settings,
    private readonly clock: Clock,
    private readonly counts: DeliveryCounts,
  ) {
    this.heads = new HeldHeads(clock);
  }

  @EventPattern([FIRST_TOPIC, `${FIRST_TOPIC}.retry.*`])
  onPointer(@Payload() value: unknown, @Ctx() message: Omit<BusMessage, 'key' | 'value'>): ConsumeResult {
    const pointer = parsePointer(value);
    if (!pointer) {
      this.counts.unreadable++;
      return DROPPED;
    }
    if (this.settings.webhookDelivery === 'hold') return DROPPED;
    const until = heldUntil(this.settings.retrySchedule, message.topic, pointer, this.clock.now());
    const isHeld = until !== null && this.heads.mayHold(message, until);
    if (isHeld) return { kind: 'held', until };
    if (message.topic !== FIRST_TOPIC) return { kind: 'accepted', done: this.topics.forward([pointer]) };
    return this.scheduler.admit(pointer, this.attempts, message.assignment);
  }

  /** The engine must not close before the outcomes of open attempts are stored, and what was handed back is published. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.scheduler.leave(this.attempts);
    await this.topics.settled();
  }
}
