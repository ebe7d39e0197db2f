import { Kafka, logLevel, type ITopicConfig } from 'kafkajs';
import { BSON, MongoClient, type Document, type IndexDescription } from 'mongodb';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OwnEngines } from '../cluster/own-engines.js';

const WEEK_MS = 7 * 86_400_000;

interface StoredCollection {
  readonly name: string;
  readonly indexes: IndexDescription[];
  readonly documents: Document[];
}

interface StoredTopic {
  readonly topic: string;
  readonly partitions: number;
  readonly config: NonNullable<ITopicConfig['configEntries']>;
  readonly messages: readonly { readonly partition: number; readonly key: string; readonly value: string }[];
  readonly groups: readonly { readonly groupId: string; readonly offsets: { partition: number; offset: string }[] }[];
}

/** New servers with what the cluster of a release had stored on its own. */
export async function restoredServers(release: string): Promise<OwnEngines> {
  const folder = mkdtempSync(join(tmpdir(), 'restored-servers-'));
  execFileSync('tar', ['-xzf', join(__dirname, release, 'cluster.tar.gz'), '-C', folder, '--strip-components=1']);
  const engines = await OwnEngines.start({ log: join(folder, 'log.jsonl') });
  await restoreCollections(engines.servers.MONGODB_URL, linesOf(join(folder, 'collections.jsonl')));
  await restoreTopics(engines.servers.KAFKA_BROKERS, linesOf(join(folder, 'topics.jsonl')));
  rmSync(folder, { recursive: true });
  return engines;
}

function linesOf<Line>(file: string): readonly Line[] {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.map((line) => BSON.EJSON.parse(line) as Line);
}

async function restoreCollections(url: string, collections: readonly StoredCollection[]): Promise<void> {
  const client = await new MongoClient(url).connect();
  for (const { name, indexes, documents } of collections) {
    const collection = client.db().collection(name);
    if (indexes.length > 0) await collection.createIndexes(indexes);
    // The server collects records by its own clock, which is not that of the apps.
    const kept = { ...(name === 'records' && { collectAt: new Date(Date.now() + WEEK_MS) }) };
    if (documents.length > 0) await collection.insertMany(documents.map((document) => ({ ...document, ...kept })));
  }
  await client.close();
}

async function restoreTopics(brokers: string, topics: readonly StoredTopic[]): Promise<void> {
  const kafka = new Kafka({ brokers: [brokers], logLevel: logLevel.NOTHING });
  const [admin, producer] = [kafka.admin(), kafka.producer()];
  await Promise.all([admin.connect(), producer.connect()]);
  for (const { topic, partitions, config, messages, groups } of topics) {
    await admin.createTopics({ topics: [{ topic, numPartitions: partitions, configEntries: config }] });
    await producer.send({ topic, acks: -1, messages: [...messages] });
    for (const { groupId, offsets } of groups) await admin.setOffsets({ groupId, topic, partitions: offsets });
  }
  await Promise.all([admin.disconnect(), producer.disconnect()]);
}
