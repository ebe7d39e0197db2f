import { Controller, type BeforeApplicationShutdown } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { waitBefore } from '@domain/delivery/retry-schedule';
import { FIRST_TOPIC } from '@domain/delivery/tiers';
import { Clock } from '@ports/clock.port';
import type { ConsumeResult } from '@ports/message-bus.port';
import { Settings } from '@ports/settings.port';
import { DeliveryCounts } from '../delivery-counts.js';
import { parsePointer, type DeliveryPointer } from '../delivery-pointer.js';
import { AttemptScheduler } from './attempt-scheduler.js';
import { AttemptRunner } from './attempt-runner.js';

/** Consumes the pointers of every topic: those that are due go to the scheduler, the others are held until they are. */
@Controller()
export class DeliveryConsumer implements BeforeApplicationShutdown {
  constructor(
    private readonly runner: AttemptRunner,
    private readonly scheduler: AttemptScheduler,
    private readonly settings: Settings,
    private readonly clock: Clock,
    private readonly counts: DeliveryCounts,
  ) {}

  @EventPattern([FIRST_TOPIC, `${FIRST_TOPIC}.retry.*`])
  onPointer(@Payload() value: unknown): ConsumeResult {
    const pointer = parsePointer(value);
    if (!pointer) {
      this.counts.unreadable++;
      return { kind: 'accepted', done: Promise.resolve() };
    }
    return this.isEarly(pointer) ? { kind: 'held', until: pointer.dueAt } : this.scheduler.admit(pointer, this.runner);
  }

  /** A first attempt further ahead than the schedule allows means that the clock was set back: it is not held, to block no other. */
  private isEarly({ attempt, dueAt }: DeliveryPointer): boolean {
    const waitMs = dueAt - this.clock.now();
    return waitMs > 0 && (attempt > 1 || waitMs <= waitBefore(this.settings.retrySchedule, 1));
  }

  /** Waits for the attempts under way: the store must not close before their outcomes are stored. */
  beforeApplicationShutdown(): Promise<void> {
    return this.scheduler.settled();
  }
}
