import { FakeClock } from '@testing/fake-clock';
import { KafkaJSProtocolError, type Admin, type ITopicConfig } from 'kafkajs';
import { TroubleLogger } from '../trouble-logger.js';
import { DeclaredTopics } from './declared-topics.js';
import { LastingClient } from './lasting-client.js';

/** A broker that hosts a topic only some requests after it agreed to create it. The driver takes that for a failure. */
function busyBroker(hostsAt: number) {
  const topics: string[] = [];
  let looks = 0;
  const look = () => {
    looks += 1;
    if (looks < hostsAt)
      throw new KafkaJSProtocolError({ type: 'UNKNOWN_TOPIC_OR_PARTITION', code: 3, retriable: true } as never);
  };
  const admin = {
    connect: () => Promise.resolve(),
    disconnect: () => Promise.resolve(),
    listTopics: () => Promise.resolve([...topics]),
    async createTopics({ topics: made, waitForLeaders = true }: { topics: ITopicConfig[]; waitForLeaders?: boolean }) {
      topics.push(...made.map(({ topic }) => topic));
      if (waitForLeaders) await Promise.resolve().then(look);
      return true;
    },
    fetchTopicOffsets: () => Promise.resolve().then(look),
    fetchTopicMetadata: () => Promise.resolve({ topics: topics.map((name) => ({ name, partitions: [{}] })) }),
    describeConfigs: () => Promise.resolve({ resources: [] }),
  };
  return { topics, admin: admin as unknown as Admin };
}

it('a topic that a busy broker hosts a while after it was made is waited for', async () => {
  const [clock, broker] = [new FakeClock(), busyBroker(4)];
  const client = () => new LastingClient(() => broker.admin, clock);
  const log = new TroubleLogger('Kafka', { warn: () => undefined }, clock);
  const declared = new DeclaredTopics({ maker: client(), admin: client(), pace: clock, log, prefix: 'p.', replicationFactor: 1 });
  declared.add([{ name: 'notes', partitions: 1 }]);
  let result: unknown;
  void declared.ready('notes').then(
    () => (result = 'made'),
    (error: unknown) => (result = error),
  );
  while (result === undefined) await clock.advance(100);
  expect([result, broker.topics]).toEqual(['made', ['p.notes']]);
});
