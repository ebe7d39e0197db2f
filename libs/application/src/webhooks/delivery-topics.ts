import { Injectable } from '@nestjs/common';
import { FIRST_TOPIC, topicOf, topicsOf } from '@domain/delivery/tiers';
import { MessageBus, type TopicDeclaration } from '@ports/message-bus.port';
import { Settings } from '@ports/settings.port';
import type { DeliveryPointer } from './delivery-pointer.js';

const FIRST_PARTITIONS = 12;
const TIER_PARTITIONS = 6;

/** The topics deliveries travel through, all from the one schedule. */
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

  /** To be taken up as soon as they are due. */
  async publish(pointers: readonly DeliveryPointer[]): Promise<void> {
    if (pointers.length === 0) return;
    await this.bus.publish(FIRST_TOPIC, pointers.map(toMessage));
  }

  /** To wait in the tier of the attempt they point to. */
  async publishRetry(pointer: DeliveryPointer): Promise<void> {
    await this.bus.publish(topicOf(this.settings.retrySchedule, pointer.attempt), [toMessage(pointer)]);
  }
}

function toMessage(pointer: DeliveryPointer) {
  return { key: pointer.appointmentId, value: JSON.stringify(pointer) };
}
