import { SystemClock } from '@adapters/clock.system';
import { KafkaMessageBus, type KafkaBusParts } from '@engine-cluster/kafka/message-bus.kafka';
import { TroubleLogger } from '@engine-cluster/trouble-logger';
import { accepted } from '@ports/contracts/consume-results.contract';
import { eventually } from '@ports/contracts/eventually';
import type { BusMessage, Subscription } from '@ports/message-bus.port';
import { type Admin, Kafka, type KafkaConfig, logLevel } from 'kafkajs';
import { randomUUID } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readdirSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EngineProcess } from '../../../tools/engines/engine-process.mjs';
import { freePort } from '../../../tools/engines/free-port.mjs';
import { type KafkaOptions, startKafka } from '../../../tools/engines/kafka/kafka.mjs';
import { TcpProxy } from '../../../tools/engines/tcp-proxy.mjs';

/** Buses over one Kafka, each as in a process of its own, with topics and groups that no other run has. */
export class KafkaWorld {
  readonly prefix = `run-${randomUUID()}.`;
  /** What the buses told their operator. */
  readonly log: string[] = [];
  private readonly buses: KafkaMessageBus[] = [];
  private connected: Promise<Admin> | undefined;

  readonly brokers: readonly string[];

  /** @param brokers `host:port` each, with commas between them */
  constructor(brokers: string | undefined) {
    if (!brokers) throw new Error('KAFKA_BROKERS is not set: run the test by npm run test:cluster');
    this.brokers = brokers.split(',');
  }

  bus(changed: Partial<KafkaBusParts> & { readonly replicationFactor?: number } = {}): KafkaMessageBus {
    const { replicationFactor = 1, ...parts } = changed;
    const clock = new SystemClock();
    const log = new TroubleLogger('Kafka', { warn: (line: string) => void this.log.push(line) }, clock);
    const settings = { kafkaBrokers: this.brokers, replicationFactor, prefix: this.prefix };
    const bus = new KafkaMessageBus({ settings, clock, pace: clock, log, ...parts });
    this.buses.push(bus);
    return bus;
  }

  /** The driver's own client. */
  driver(config: Partial<KafkaConfig> = {}): Kafka {
    return new Kafka({ brokers: [...this.brokers], logLevel: logLevel.NOTHING, ...config });
  }

  admin(): Promise<Admin> {
    this.connected ??= (async () => {
      const admin = this.driver().admin();
      await admin.connect();
      return admin;
    })();
    return this.connected;
  }

  /** Makes a topic of this run. A busy broker agrees to one some time before it hosts it, which this waits for. */
  async make(topic: string, numPartitions = 1, settings: Readonly<Record<string, string>> = {}): Promise<void> {
    const [admin, named] = [await this.admin(), `${this.prefix}${topic}`];
    const configEntries = Object.entries(settings).map(([name, value]) => ({ name, value }));
    await admin.createTopics({ topics: [{ topic: named, numPartitions, configEntries }], waitForLeaders: false });
    await eventually(() => admin.fetchTopicMetadata({ topics: [named] }).then(() => undefined));
  }

  private async groupsWithMembers(): Promise<readonly string[]> {
    const admin = await this.admin();
    const { groups } = await admin.listGroups();
    const names = groups.map(({ groupId }) => groupId).filter((groupId) => groupId.startsWith(this.prefix));
    if (names.length === 0) return [];
    const found = await admin.describeGroups(names);
    return found.groups.filter(({ members }) => members.length > 0).map(({ groupId }) => groupId);
  }

  /** Closes every bus that is open. */
  async closeBuses(): Promise<void> {
    await Promise.all(this.buses.splice(0).map((bus) => bus.close()));
  }

  /** Closes what is open, waits until the last member has left its group, and deletes this run's topics. */
  async close(): Promise<void> {
    await this.closeBuses();
    const admin = await this.admin();
    // A bus closes within two seconds; the driver of a member may go on, and would load code after the end of the spec.
    await eventually(async () => {
      const groups = await this.groupsWithMembers();
      if (groups.length > 0) throw new Error(`There are members in ${groups.join(', ')}.`);
    });
    await eventually(async () => {
      const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(this.prefix));
      if (topics.length > 0) await admin.deleteTopics({ topics });
    });
    await admin.disconnect();
  }
}

/** A broker of one's own, to be killed. Clients reach it through a proxy. */
export class OwnKafka {
  private constructor(
    readonly broker: EngineProcess,
    readonly proxy: TcpProxy,
    private readonly directory: string,
  ) {}

  static async start(options: Partial<KafkaOptions> = {}): Promise<OwnKafka> {
    const directory = mkdtempSync(join(tmpdir(), 'kafka-'));
    const port = await freePort();
    const proxy = await TcpProxy.before(port);
    return new OwnKafka(await startKafka({ directory, port, advertisedPort: proxy.port, ...options }), proxy, directory);
  }

  world(): KafkaWorld {
    return new KafkaWorld(this.broker.url);
  }

  /** Damages the message on the broker's disk so that no client can read it. It is the only one of its topic. */
  damageFirstMessage(topic: string): void {
    damageFirstMessage(this.broker.directory, topic);
  }

  async close(): Promise<void> {
    await this.broker.kill();
    await this.proxy.close();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** The second byte of a batch's attributes, which tells the codec, and the number of zstd. */
const CODEC_AT = 22;
const ZSTD = 4;

/** Has every first batch of a topic's partitions claim a codec that it is not compressed with. */
export function damageFirstMessage(directory: string, topic: string): void {
  const logs = readdirSync(join(directory, 'data'))
    .filter((name) => name.startsWith(`${topic}-`))
    .map((name) => join(directory, 'data', name, '00000000000000000000.log'))
    .filter((path) => statSync(path).size > CODEC_AT);
  if (logs.length === 0) throw new Error(`${topic} has no message`);
  for (const path of logs) {
    const file = openSync(path, 'r+');
    writeSync(file, Buffer.from([ZSTD]), 0, 1, CODEC_AT);
    closeSync(file);
  }
}

/** Accepts every message of a topic, which is consumed at once. */
export function collect(bus: KafkaMessageBus, group: string, topic: string, into: BusMessage[]): Promise<Subscription> {
  return bus.consume(group, [topic], (message) => {
    into.push(message);
    return Promise.resolve(accepted());
  });
}

export const valuesOf = (messages: readonly BusMessage[]): string[] => messages.map(({ value }) => value);

/** Messages of as many keys, with the numbers from `from` on as values. */
export const numbered = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => ({ key: `key ${from + index}`, value: `${from + index}` }));
