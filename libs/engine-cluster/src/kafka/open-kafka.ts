import { Logger } from '@nestjs/common';
import type { Clock } from '@ports/clock.port';
import { TroubleLogger } from '../trouble-logger.js';
import type { KafkaStatus } from './kafka-health.js';
import { KafkaMessageBus, type KafkaSettings } from './message-bus.kafka.js';

export interface Kafka {
  readonly bus: KafkaMessageBus;
  /** How Kafka is, from a look at most five seconds ago. */
  health(): KafkaStatus;
  close(): Promise<void>;
}

export interface KafkaOptions {
  readonly log?: Pick<Logger, 'warn'>;
  /** Called each minute while a consumer of these topics is stalled though its member was replaced. */
  readonly onStalled?: (topics: readonly string[]) => void;
  /** Of every topic, instead of the engine's number. */
  readonly partitions?: number;
}

/** The message bus on Kafka. Absent brokers are no failure: publishing fails until they are there, and consumers wait for them. */
export function openKafka(settings: KafkaSettings, clock: Clock, options: KafkaOptions = {}): Kafka {
  const { log = new Logger('kafka'), ...others } = options;
  const troubles = new TroubleLogger('Kafka', log, clock);
  const bus = new KafkaMessageBus({ settings, clock, pace: clock, log: troubles, ...others });
  return { bus, health: () => bus.status, close: () => bus.close() };
}
