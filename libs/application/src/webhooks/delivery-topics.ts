import { Injectable } from '@nestjs/common';
import { FIRST_TOPIC, topicOf, topicsOf } from '@domain/delivery/tiers';
import { MessageBus, type TopicDeclaration } from '@ports/message-bus.port';
import { Settings } from '@ports/settings.port';
import type { DeliveryPointer } from './delivery-pointer.js';

const FIRST_PARTITIONS = 12;
const TIER_PARTITIONS = 6;

/** The topics of pointers to deliveries, one for first attempts and one per retry tier of the schedule. */
@Injectable()
export class DeliveryTopics {
  constructor(
    private readonly bus: MessageBus,
    private readonly settings: Settings,
  ) {}

  declarations(): readonly TopicDeclaration[] {
    return topicsOf(this.settings.retrySchedule).map((name) => ({
      name,
      partitions: name === FIRST_TOPIC ? FIRST_PARTITIONS : TIER_PARTITIONS,
    }));
  }

  /** Publishes pointers to first attempts. */
  async publish(pointers: readonly DeliveryPointer[]): Promise<void> {
    if (pointers.length === 0) return;
    await this.bus.publish(FIRST_TOPIC, pointers.map(toMessage));
  }

  /** Publishes a pointer to the tier of its attempt, which holds it until it is due. */
  async publishRetry(pointer: DeliveryPointer): Promise<void> {
    await this.bus.publish(topicOf(this.settings.retrySchedule, pointer.attempt), [toMessage(pointer)]);
  }
}

function toMessage(pointer: DeliveryPointer) {
  return { key: pointer.appointmentId, value: JSON.stringify(pointer) };
}
