import kafkajs, { type Admin } from 'kafkajs';
import { type Clock, pause } from '@ports/clock.port';
import type { TopicDeclaration } from '@ports/message-bus.port';
import type { TroubleLogger } from '../trouble-logger.js';
import type { LastingClient } from './lasting-client.js';
import { expectToKeep, topicConfig, TopicRefused } from './topic-config.js';

const { ConfigResourceTypes } = kafkajs;
const LOOKS_FOR_LEADERS = 30;
const LOOKS_FOR_LEADERS_EVERY_MS = 100;
const CHECKED = ['cleanup.policy', 'retention.ms'];

interface NamedTopic {
  readonly name: string;
  readonly declaration: TopicDeclaration;
}

export interface TopicsParts {
  /** Only finds and creates topics: a client that once asked for a topic's offsets fails at every call while that is missing. */
  readonly maker: LastingClient<Admin>;
  readonly admin: LastingClient<Admin>;
  readonly pace: Clock;
  readonly log: TroubleLogger;
  readonly prefix: string;
  readonly replicationFactor: number;
}

/** The topics this process declared; creates missing ones on the brokers. */
export class DeclaredTopics {
  private readonly declared = new Map<string, TopicDeclaration>();
  private readonly seen = new Set<string>();

  constructor(private readonly parts: TopicsParts) {}

  /** A repeated declaration keeps the larger number of partitions. */
  add(topics: readonly TopicDeclaration[]): void {
    for (const topic of topics) {
      const known = this.declared.get(topic.name);
      if (known && known.partitions >= topic.partitions) continue;
      this.declared.set(topic.name, topic);
      this.seen.delete(topic.name);
    }
  }

  nameOf(topic: string): string {
    return `${this.parts.prefix}${topic}`;
  }

  /** Resolves when the topic has been seen on the brokers; until then acts as `make`. */
  async ready(topic: string): Promise<void> {
    if (!this.seen.has(topic)) await this.make([topic]);
  }

  /** Rejects if no process has declared the topic: the driver would search for it for seconds. */
  async expectDeclared(topic: string): Promise<void> {
    if (!this.declared.has(topic)) await this.ready(topic);
  }

  /** Whether the brokers have every declared topic, with a leader per partition. Rejects if they do not answer. */
  async areThere(): Promise<boolean> {
    const topics = [...this.declared.keys()].map((topic) => this.nameOf(topic));
    try {
      await this.parts.maker.use((admin): Promise<unknown> =>
        topics.length > 0 ? admin.fetchTopicMetadata({ topics }) : admin.describeCluster(),
      );
      return true;
    } catch (error) {
      if ((error as { type?: unknown }).type === 'UNKNOWN_TOPIC_OR_PARTITION') return false;
      throw error;
    }
  }

  makeAgain(): Promise<void> {
    return this.make([...this.declared.keys()]);
  }

  /**
   * Creates missing topics and partitions. Rejects with `TopicRefused` if the brokers refuse, or have a topic that would lose messages. A
   * topic declared only elsewhere must exist.
   */
  async make(topics: readonly string[]): Promise<void> {
    if (topics.length === 0) return;
    await this.parts.maker.use(async (admin) => {
      const existing = new Set(await admin.listTopics());
      const isMissing = (topic: string) => !existing.has(this.nameOf(topic));
      const unknown = topics.find((topic) => isMissing(topic) && !this.declared.has(topic));
      if (unknown !== undefined) throw new TopicRefused(`topic ${unknown} is not declared`);
      const own = topics.flatMap((topic) => this.declared.get(topic) ?? []);
      const wanted = own.map((declaration) => ({ name: this.nameOf(declaration.name), declaration }));
      if (wanted.length === 0) return;
      const missing = wanted.filter(({ name }) => !existing.has(name));
      this.tellOfVanished(missing);
      await this.create(admin, missing);
      await this.grow(admin, wanted);
      await this.check(admin, wanted);
    });
    for (const topic of topics) this.seen.add(topic);
  }

  private tellOfVanished(missing: readonly NamedTopic[]): void {
    const vanished = missing.filter(({ declaration }) => this.seen.has(declaration.name)).map(({ name }) => name);
    if (vanished.length > 0) this.parts.log.tell(`topics have vanished and are recreated: ${vanished.join(', ')}`);
  }

  private async create(admin: Admin, missing: readonly NamedTopic[]): Promise<void> {
    if (missing.length === 0) return;
    const topics = missing.map(({ name, declaration }) => topicConfig(name, declaration, this.parts.replicationFactor));
    // The driver's own wait fails on a busy broker that does not know yet what the controller has created.
    await asked('create', missing, admin.createTopics({ topics, waitForLeaders: false }));
    for (const { name } of missing) await this.isLed(name);
  }

  /** Waits for the leaders of a new topic. Brokers refuse messages until they know that they lead, and some of those are sent twice. */
  private async isLed(name: string): Promise<void> {
    const { admin, pace } = this.parts;
    for (let looks = 0; looks < LOOKS_FOR_LEADERS; looks += 1) {
      try {
        await admin.use((client) => client.fetchTopicOffsets(name));
        return;
      } catch {
        await pause(pace, LOOKS_FOR_LEADERS_EVERY_MS);
      }
    }
  }

  private async grow(admin: Admin, wanted: readonly NamedTopic[]): Promise<void> {
    const { topics: found } = await admin.fetchTopicMetadata({ topics: wanted.map(({ name }) => name) });
    const countOf = new Map(found.map(({ name, partitions }) => [name, partitions.length]));
    const small = wanted.filter(({ name, declaration }) => (countOf.get(name) ?? 0) < declaration.partitions);
    if (small.length === 0) return;
    const topicPartitions = small.map(({ name, declaration }) => ({ topic: name, count: declaration.partitions }));
    await asked('add partitions to', small, admin.createPartitions({ topicPartitions }));
  }

  private async check(admin: Admin, wanted: readonly NamedTopic[]): Promise<void> {
    const resources = wanted.map(({ name }) => ({ type: ConfigResourceTypes.TOPIC, name, configNames: CHECKED }));
    const answer = await admin.describeConfigs({ resources, includeSynonyms: false });
    for (const { name, declaration } of wanted) {
      const entries = answer.resources.find(({ resourceName }) => resourceName === name)?.configEntries ?? [];
      expectToKeep(name, declaration, new Map(entries.map(({ configName, configValue }) => [configName, configValue])));
    }
  }
}

/** Rejects with `TopicRefused` if the brokers answered but refused. */
async function asked(what: string, topics: readonly NamedTopic[], request: Promise<unknown>): Promise<void> {
  try {
    await request;
  } catch (error) {
    const reasons = refusals(error);
    if (reasons.length === 0) throw error;
    throw new TopicRefused(`cannot ${what} ${topics.map(({ name }) => name).join(', ')}: ${reasons.join(', ')}`, {
      cause: error,
    });
  }
}

/** The errors of the brokers, without those that time or another process will resolve. */
function refusals(error: unknown): readonly string[] {
  const inner = (error as { errors?: readonly unknown[]; cause?: unknown }).errors ?? [
    (error as { cause?: unknown }).cause,
    error,
  ];
  const known = inner as readonly ({ type?: string; retriable?: boolean } | undefined)[];
  const types = known.flatMap((each) => (each?.type !== undefined && !each.retriable ? [each.type] : []));
  return [...new Set(types)].filter((type) => type !== 'TOPIC_ALREADY_EXISTS');
}
