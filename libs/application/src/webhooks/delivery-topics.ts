import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { FIRST_TOPIC, tiersOf, topicFor } from '@domain/delivery/tiers';
import { Clock } from '@ports/clock.port';
import { MessageBus, type TopicDeclaration } from '@ports/message-bus.port';
import { Settings } from '@ports/settings.port';
import { NO_TRACER, Tracer, type Span } from '@ports/tracer.port';
import { sharedOrigin } from '../runtime/traced.js';
import type { DeliveryPointer } from './delivery-pointer.js';

const POINTERS_REMEMBERED = 50_000;
/** After this time another pointer is published: an extra one is harmless, a lost one is replaced this late. */
const TRAVEL_MS = 10_000;

@Injectable()
export class DeliveryTopics {
  private readonly publishedAt = new LRUCache<string, number>({ max: POINTERS_REMEMBERED });

  private forwarded: DeliveryPointer[] = [];
  private nextForward: Promise<void> | undefined;
  private lastForward: Promise<void> = Promise.resolve();

  constructor(
    private readonly bus: MessageBus,
    private readonly settings: Settings,
    private readonly clock: Clock,
    private readonly tracer: Tracer = NO_TRACER,
  ) {}

  /** An endpoint's pointers share a partition of a topic: one process at a time has that of the first topic, and makes its attempts. */
  declarations(): readonly TopicDeclaration[] {
    const { held, other } = this.bus.partitions;
    const tiers = tiersOf(this.settings.retrySchedule);
    return [
      { name: FIRST_TOPIC, partitions: other },
      ...tiers.map(({ topic, waitMs }) => ({ name: topic, partitions: held, waitMs })),
    ];
  }

  /** Publishes each pointer to a topic that holds it until it is due. Longer waits are left to the sweep. */
  async publish(pointers: readonly DeliveryPointer[]): Promise<void> {
    if (pointers.length === 0) return;
    const origin =
      this.tracer.traceparent === undefined ? sharedOrigin(pointers.map(({ traceparent }) => traceparent)) : undefined;
    const send = ({ traceparent }: Span) => this.sendAll(pointers, traceparent);
    await this.tracer.run('publication', { pointers: pointers.length }, send, origin);
  }

  private async sendAll(pointers: readonly DeliveryPointer[], publication: string | undefined): Promise<void> {
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
      same.push({ ...pointer, publishedAt: now, ...(publication !== undefined && { publication }) });
    }
    await Promise.all([...byTopic].map(([topic, some]) => this.send(topic, some)));
  }

  /**
   * Publishes pointers to the first topic as they are: those that their tier has held, or that another process is to have. Those that
   * come during a publication share the next one.
   */
  forward(pointers: readonly DeliveryPointer[]): Promise<void> {
    this.forwarded.push(...pointers);
    if (this.nextForward) return this.nextForward;
    this.nextForward = this.lastForward.then(() => this.forwardAll());
    this.lastForward = this.nextForward.catch(() => undefined);
    return this.nextForward;
  }

  /** Resolves once all that was forwarded is published, or could not be. */
  settled(): Promise<void> {
    return this.lastForward;
  }

  private forwardAll(): Promise<void> {
    const publishedAt = this.clock.now();
    const pointers = this.forwarded.map((pointer) => ({ ...pointer, publishedAt }));
    [this.forwarded, this.nextForward] = [[], undefined];
    return this.send(FIRST_TOPIC, pointers);
  }

  /** Whether this process remembers publishing a pointer to this attempt within the last ten seconds. */
  isTravelling(pointer: DeliveryPointer): boolean {
    const publishedAt = this.publishedAt.get(attemptOf(pointer));
    return publishedAt !== undefined && this.clock.elapsed() - publishedAt < TRAVEL_MS;
  }

  /** Lets the sweep publish another pointer to this attempt at once. */
  forget(pointer: DeliveryPointer): void {
    this.publishedAt.delete(attemptOf(pointer));
  }

  /** Remembers pointers first: a consumer may forget one before its publication is acknowledged. */
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
