import type { Message, Producer } from 'kafkajs';
import { StoreUnavailable } from '@ports/event-store.port';
import type { OutgoingMessage } from '@ports/message-bus.port';
import { shortName } from '../short-name.js';
import type { TroubleLogger } from '../trouble-logger.js';
import type { LastingClient } from './lasting-client.js';
import type { DeclaredTopics } from './declared-topics.js';
import { TopicRefused } from './topic-config.js';

/** Half of a broker's default request limit. */
const BYTES_AT_ONCE = 524_288;
const ALL_IN_SYNC = -1;

export class MessageSender {
  constructor(
    private readonly producer: LastingClient<Producer>,
    private readonly topics: DeclaredTopics,
    private readonly log: Pick<TroubleLogger, 'tell'>,
  ) {}

  /** Rejects with `StoreUnavailable` if the brokers are at fault: some or all messages may be stored. */
  async publish(topic: string, messages: readonly OutgoingMessage[]): Promise<void> {
    if (messages.length === 0) return;
    const name = this.topics.nameOf(topic);
    try {
      await this.producer.use(async (producer) => {
        await this.topics.ready(topic);
        for (const part of parts(messages)) await producer.send({ topic: name, acks: ALL_IN_SYNC, messages: part });
      });
    } catch (error) {
      const why = `Kafka does not store messages: ${error instanceof TopicRefused ? error.message : shortName(error)}`;
      this.log.tell(why);
      throw new StoreUnavailable(why, true);
    }
  }
}

function parts(messages: readonly OutgoingMessage[]): readonly Message[][] {
  const all: Message[][] = [];
  let bytes = BYTES_AT_ONCE;
  for (const { key, value } of messages) {
    bytes += Buffer.byteLength(key) + Buffer.byteLength(value);
    if (bytes > BYTES_AT_ONCE) {
      all.push([]);
      bytes = Buffer.byteLength(key) + Buffer.byteLength(value);
    }
    all.at(-1)?.push({ key, value });
  }
  return all;
}
