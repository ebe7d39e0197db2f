import { EventStoreDBClient, START } from '@eventstore/db-client';
import { Kafka, logLevel } from 'kafkajs';
import { MongoClient } from 'mongodb';
import { once } from 'node:events';

type Variables = Readonly<Record<string, string>>;

/** What an installation has stored on the three servers, as text. */
export async function storedOnServers(variables: Variables): Promise<Buffer> {
  const prefix = variables['ENGINE_PREFIX'] ?? '';
  const found = await Promise.all([eventsOf(variables, prefix), documentsOf(variables, prefix), messagesOf(variables, prefix)]);
  return Buffer.concat(found.flat());
}

/** Deletes the topics of an installation. */
export async function deleteTopics({ KAFKA_BROKERS = '', ENGINE_PREFIX = '' }: Variables): Promise<void> {
  const admin = new Kafka({ brokers: KAFKA_BROKERS.split(','), logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(ENGINE_PREFIX));
  if (topics.length > 0) await admin.deleteTopics({ topics });
  await admin.disconnect();
}

async function eventsOf({ EVENTSTORE_URL = '' }: Variables, prefix: string): Promise<readonly Buffer[]> {
  const client = EventStoreDBClient.connectionString(EVENTSTORE_URL);
  const found: Buffer[] = [];
  for await (const { event } of client.readAll({ fromPosition: START })) {
    if (event?.streamId.startsWith(prefix)) found.push(Buffer.from(JSON.stringify(event.data)));
  }
  await client.dispose();
  return found;
}

async function documentsOf({ MONGODB_URL = '' }: Variables, prefix: string): Promise<readonly Buffer[]> {
  const client = await new MongoClient(MONGODB_URL).connect();
  const found: Buffer[] = [];
  for (const { name } of await client.db().listCollections().toArray()) {
    if (!name.startsWith(prefix)) continue;
    for await (const document of client.db().collection(name).find()) found.push(Buffer.from(JSON.stringify(document)));
  }
  await client.close();
  return found;
}

async function messagesOf({ KAFKA_BROKERS = '' }: Variables, prefix: string): Promise<readonly Buffer[]> {
  const kafka = new Kafka({ brokers: KAFKA_BROKERS.split(','), logLevel: logLevel.NOTHING });
  const admin = kafka.admin();
  await admin.connect();
  const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(prefix));
  const ends = await Promise.all(topics.map((topic) => admin.fetchTopicOffsets(topic)));
  const left = ends.flat().reduce((sum, { high, low }) => sum + Number(high) - Number(low), 0);
  await admin.disconnect();
  return left === 0 ? [] : consumed(kafka, topics, left);
}

async function consumed(kafka: Kafka, topics: string[], count: number): Promise<readonly Buffer[]> {
  const consumer = kafka.consumer({ groupId: `reading-${topics[0]}` });
  const found: Buffer[] = [];
  const done = new EventTarget();
  const complete = once(done, 'complete');
  await consumer.connect();
  await consumer.subscribe({ topics, fromBeginning: true });
  await consumer.run({
    eachMessage: ({ message }) => {
      found.push(Buffer.from(`${String(message.key)} ${String(message.value)}`));
      if (found.length === count) done.dispatchEvent(new Event('complete'));
      return Promise.resolve();
    },
  });
  await complete;
  await consumer.disconnect();
  return found;
}
