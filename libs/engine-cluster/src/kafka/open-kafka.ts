import { Logger } from '@nestjs/common';
import type { Clock } from '@ports/clock.port';
import { TroubleLogger } from '../trouble-logger.js';
import type { KafkaStatus } from './kafka-health.js';
import { KafkaMessageBus, type KafkaSettings } from './message-bus.kafka.js';

export interface Kafka {
  readonly bus: KafkaMessageBus;
  /** At most five seconds old. */
  health(): KafkaStatus;
  close(): Promise<void>;
}

export interface KafkaOptions {
  readonly log?: Pick<Logger, 'warn'>;
  readonly onStalled?: (topics: readonly string[]) => void;
  readonly partitions?: number;
}

/** The message bus on Kafka. While brokers are absent, publishing fails and consumers wait. */
export function openKafka(settings: KafkaSettings, clock: Clock, options: KafkaOptions = {}): Kafka {
  const { log = new Logger('kafka'), ...others } = options;
  const troubles = new TroubleLogger('Kafka', log, clock);
  const bus = new KafkaMessageBus({ settings, clock, pace: clock, log: troubles, ...others });
  return { bus, health: () => bus.status, close: () => bus.close() };
}
