import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { FIRST_TOPIC, tiersOf, topicFor } from '@domain/delivery/tiers';
import { Clock } from '@ports/clock.port';
import { MessageBus, type TopicDeclaration } from '@ports/message-bus.port';
import { Settings } from '@ports/settings.port';
import type { DeliveryPointer } from './delivery-pointer.js';

const POINTERS_REMEMBERED = 50_000;
/**
 * A pointer may travel this long before another is published: behind a large backlog it still does, and is published again for
 * nothing; the one that a killed process had taken over is missed for so long.
 */
const TRAVEL_MS = 10_000;

/** The topics of pointers to deliveries, one for what is due and one per tier of the retry schedule. */
@Injectable()
export class DeliveryTopics {
  private readonly publishedAt = new LRUCache<string, number>({ max: POINTERS_REMEMBERED });

  constructor(
    private readonly bus: MessageBus,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** One endpoint's pointers share a partition, so that one process at a time makes its attempts. */
  declarations(): readonly TopicDeclaration[] {
    const { held, other } = this.bus.partitions;
    const tiers = tiersOf(this.settings.retrySchedule);
    return [
      { name: FIRST_TOPIC, partitions: other },
      ...tiers.map(({ topic, waitMs }) => ({ name: topic, partitions: held, waitMs })),
    ];
  }

  /** Publishes pointers, each to a topic that holds it until it is due. What none can hold so long is left to the sweep. */
  async publish(pointers: readonly DeliveryPointer[]): Promise<void> {
    const now = this.clock.now();
    const byTopic = new Map<string, DeliveryPointer[]>();
    for (const pointer of pointers) {
      const topic = topicFor(this.settings.retrySchedule, pointer.dueAt - now);
      if (topic === null) {
        this.forget(pointer);
        continue;
      }
      const same = byTopic.get(topic) ?? [];
      byTopic.set(topic, same);
      same.push({ ...pointer, publishedAt: now });
    }
    await Promise.all([...byTopic].map(([topic, some]) => this.send(topic, some)));
  }

  /** Whether this process published a pointer to this attempt within the last ten seconds, as far as it remembers. */
  isTravelling(pointer: DeliveryPointer): boolean {
    const publishedAt = this.publishedAt.get(attemptOf(pointer));
    return publishedAt !== undefined && this.clock.elapsed() - publishedAt < TRAVEL_MS;
  }

  /** Lets the sweep publish another pointer to this attempt at once. */
  forget(pointer: DeliveryPointer): void {
    this.publishedAt.delete(attemptOf(pointer));
  }

  /** Pointers are remembered first: a consumer may forget one before its publication is acknowledged. */
  private async send(topic: string, pointers: readonly DeliveryPointer[]): Promise<void> {
    const now = this.clock.elapsed();
    for (const pointer of pointers) this.publishedAt.set(attemptOf(pointer), now);
    try {
      await this.bus.publish(topic, pointers.map(toMessage));
    } catch (error) {
      for (const pointer of pointers) this.forget(pointer);
      throw error;
    }
  }
}

function attemptOf({ deliveryId, attempt }: DeliveryPointer): string {
  return `${deliveryId} ${attempt}`;
}

function toMessage(pointer: DeliveryPointer) {
  return { key: pointer.endpointId, value: JSON.stringify(pointer) };
}
