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
/** An absent broker is known after some three seconds; callers have their own deadlines and retry. */
const RETRY = { initialRetryTime: 200, retries: 5, maxRetryTime: 1_000 };
/** Parts of the driver that also throw what they log, or retry by themselves. */
const THROWN_TOO = new Set(['BrokerPool', 'Consumer', 'Producer']);
/** Some thousand messages of one partition per fetch. */
const PARTITION_BYTES = 262_144;

readEveryCodec();

export class KafkaDriver {
  constructor(
    private readonly brokers: readonly string[],
    private readonly log: Pick<TroubleLogger, 'tell'>,
    private readonly pace: Clock,
  ) {}

  admin(): Admin {
    return this.client().admin();
  }

  /** Not idempotent: after a timeout the driver would reuse an unsent message's number, and the broker would drop the next as known. */
  producer(): Producer {
    return this.client().producer({
      idempotent: false,
      metadataMaxAge: TIMES.metadataMaxAgeMs,
      allowAutoTopicCreation: false,
      createPartitioner: DefaultPartitioner,
    });
  }

  /** A group member with its own client, since a client shares the offsets of a group. Never restarts by itself. */
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

  /** Logs only the brokers' words: other fields hold stacks and payloads. Skips entries that are no errors, or are thrown too. */
  private tell({ level, namespace, log }: LogEntry): void {
    if (level !== ERROR || THROWN_TOO.has(namespace) || log.message.startsWith('Response ')) return;
    this.log.tell([`${namespace}: ${log.message}`, log['error']].filter((part) => typeof part === 'string').join(': '));
  }
}
