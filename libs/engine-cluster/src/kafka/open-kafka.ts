import { Logger } from '@nestjs/common';
import type { Clock } from '@ports/clock.port';
import { KafkaMessageBus, type KafkaSettings } from './message-bus.kafka.js';
import { TroubleLogger } from './trouble-logger.js';

const SAFE_REPLICAS = 3;

export interface Kafka {
  readonly bus: KafkaMessageBus;
  close(): Promise<void>;
}

/** The message bus on Kafka. Brokers that are absent are no failure: see `KafkaMessageBus`. */
export function openKafka(settings: KafkaSettings, clock: Clock, log: Pick<Logger, 'warn'> = new Logger('kafka')): Kafka {
  if (settings.replicationFactor < SAFE_REPLICAS) {
    log.warn(
      `topics get ${settings.replicationFactor} replicas: with fewer than ${SAFE_REPLICAS}, one broker's loss may lose messages`,
    );
  }
  const bus = new KafkaMessageBus({ settings, clock, pace: clock, log: new TroubleLogger(log, clock) });
  return { bus, close: () => bus.close() };
}
