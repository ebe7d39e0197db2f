import kafkajs, { type Admin, type Consumer, Kafka, type LogEntry, type Producer } from 'kafkajs';
import type { Clock } from '@ports/clock.port';
import { ENGINE_CONSTANTS } from '../engine-constants.js';
import type { TroubleLogger } from '../trouble-logger.js';
import { brokerSockets } from './broker-socket.js';
import { readEveryCodec } from './codecs.js';

const {
  Partitioners: { DefaultPartitioner },
  logLevel: { ERROR },
} = kafkajs;
const TIMES = ENGINE_CONSTANTS.kafka;
/** An absent broker is known after some three seconds: whoever needs it has a deadline of its own and tries again. */
const RETRY = { initialRetryTime: 200, retries: 5, maxRetryTime: 1_000 };
/** Parts of the driver that throw what they log, or try again by themselves. */
const THROWN_TOO = new Set(['BrokerPool', 'Consumer', 'Producer']);
/** One fetch's bytes of a partition: some thousand messages. */
const PARTITION_BYTES = 262_144;

readEveryCodec();

/** Makes the driver's clients with the settings of this engine. Each has connections of its own. */
export class KafkaDriver {
  constructor(
    private readonly brokers: readonly string[],
    private readonly log: Pick<TroubleLogger, 'tell'>,
    private readonly pace: Clock,
  ) {}

  admin(): Admin {
    return this.client().admin();
  }

  /**
   * Sends are not idempotent: after a timeout the driver would give an unsent message's number to the next one, which the broker
   * then drops as known.
   */
  producer(): Producer {
    return this.client().producer({
      idempotent: false,
      metadataMaxAge: TIMES.metadataMaxAgeMs,
      allowAutoTopicCreation: false,
      createPartitioner: DefaultPartitioner,
    });
  }

  /**
   * A member of the group. Two members need two clients, which is why each gets one: a client shares the offsets of a group. It
   * never starts again by itself.
   */
  consumer(groupId: string): Consumer {
    return this.client().consumer({
      groupId,
      sessionTimeout: TIMES.sessionTimeoutMs,
      heartbeatInterval: TIMES.heartbeatIntervalMs,
      rebalanceTimeout: TIMES.rebalanceTimeoutMs,
      maxWaitTimeInMs: TIMES.fetchWaitMs,
      maxBytesPerPartition: PARTITION_BYTES,
      metadataMaxAge: TIMES.metadataMaxAgeMs,
      allowAutoTopicCreation: false,
      retry: { ...RETRY, restartOnFailure: () => Promise.resolve(false) },
    });
  }

  private client(): Kafka {
    return new Kafka({
      clientId: 'conversations',
      brokers: [...this.brokers],
      socketFactory: brokerSockets(this.pace),
      connectionTimeout: TIMES.connectWithinMs,
      requestTimeout: TIMES.answerWithinMs,
      enforceRequestTimeout: true,
      retry: RETRY,
      logLevel: ERROR,
      logCreator: () => (entry) => this.tell(entry),
    });
  }

  /** Its sentence and the brokers' words: other fields have stacks and payloads. What is no failure, or is thrown too, is left out. */
  private tell({ level, namespace, log }: LogEntry): void {
    if (level !== ERROR || THROWN_TOO.has(namespace) || log.message.startsWith('Response ')) return;
    this.log.tell([`${namespace}: ${log.message}`, log['error']].filter((part) => typeof part === 'string').join(': '));
  }
}
