import kafkajs from 'kafkajs';
import { BSON, MongoClient } from 'mongodb';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const { ConfigResourceTypes, Kafka, logLevel } = kafkajs;
/** The source of an entry, in Kafka's protocol. */
const OF_THE_TOPIC = 1;

/**
 * Writes what a release has stored on its servers into the folder: the log of EventStoreDB's double, every collection with its
 * indexes, and every topic with its messages and how far each group of consumers has taken them.
 * @param release a cluster, whose apps have ended and whose engines run
 */
export async function dumpServers({ servers, folder: engines }, folder) {
  cpSync(join(engines, 'eventstoredb/log.jsonl'), join(folder, 'log.jsonl'));
  writeLines(join(folder, 'collections.jsonl'), await collections(servers.MONGODB_URL));
  writeLines(join(folder, 'topics.jsonl'), await topics(servers.KAFKA_BROKERS));
}

function writeLines(file, lines) {
  writeFileSync(file, lines.map((line) => `${BSON.EJSON.stringify(line)}\n`).join(''));
}

async function collections(url) {
  const client = await new MongoClient(url).connect();
  const names = (await client.db().listCollections().toArray()).map(({ name }) => name);
  const found = [];
  for (const name of names.filter((each) => !each.startsWith('system.')).toSorted()) {
    const collection = client.db().collection(name);
    const indexes = (await collection.listIndexes().toArray()).filter((index) => index.name !== '_id_');
    const documents = await collection.find().toArray();
    found.push({ name, indexes: indexes.map(({ v: _, ...index }) => index), documents });
  }
  await client.close();
  return found;
}

async function topics(brokers) {
  const kafka = new Kafka({ brokers: [brokers], logLevel: logLevel.NOTHING });
  const admin = kafka.admin();
  await admin.connect();
  const names = (await admin.listTopics()).filter((name) => !name.startsWith('__')).toSorted();
  const groups = (await admin.listGroups()).groups.map(({ groupId }) => groupId).toSorted();
  const found = [];
  for (const topic of names) {
    const bounds = await admin.fetchTopicOffsets(topic);
    const count = bounds.reduce((sum, { low, high }) => sum + Number(high) - Number(low), 0);
    const messages = count === 0 ? [] : await messagesOf(kafka, topic, count);
    found.push({ topic, partitions: bounds.length, config: await configOf(admin, topic), messages, groups: [] });
    for (const groupId of groups) found.at(-1).groups.push(...(await takenBy(admin, groupId, topic)));
  }
  await admin.disconnect();
  return found;
}

/** What the topic was made with. */
async function configOf(admin, topic) {
  const asked = { resources: [{ type: ConfigResourceTypes.TOPIC, name: topic }], includeSynonyms: false };
  const [{ configEntries }] = (await admin.describeConfigs(asked)).resources;
  const own = configEntries.filter(({ configSource }) => configSource === OF_THE_TOPIC);
  return own.map(({ configName: name, configValue: value }) => ({ name, value }));
}

async function takenBy(admin, groupId, topic) {
  const [{ partitions }] = await admin.fetchOffsets({ groupId, topics: [topic] });
  const stored = partitions.filter(({ offset }) => Number(offset) >= 0).map(({ partition, offset }) => ({ partition, offset }));
  return stored.length === 0 ? [] : [{ groupId, offsets: stored }];
}

async function messagesOf(kafka, topic, count) {
  const consumer = kafka.consumer({ groupId: `dump-${topic}` });
  await consumer.connect();
  await consumer.subscribe({ topics: [topic], fromBeginning: true });
  const found = [];
  await new Promise((resolve) => {
    const eachMessage = async ({ partition, message: { key, value } }) => {
      found.push({ partition, key: String(key), value: String(value) });
      if (found.length === count) resolve();
    };
    void consumer.run({ eachMessage });
  });
  await consumer.disconnect();
  return found.toSorted((one, other) => one.partition - other.partition);
}
