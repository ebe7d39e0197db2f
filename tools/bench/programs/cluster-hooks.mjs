// The least a delivery can cost on the cluster: a message is consumed and a signed POST made; or a claim is appended before and
// an outcome behind it, each as long as ours, without anything that is made of them.
import { NO_STREAM } from '@eventstore/db-client';
import { randomUUID } from 'node:crypto';
import kafkajs from 'kafkajs';
import { BareLog, tell } from './cluster-drivers.mjs';
import { signedPosts } from './signed-posts.mjs';

const { servers, url, inFlight, count, recorded } = JSON.parse(process.argv[2]);
const PARTITIONS = 24;
const AT_ONCE = 1_000;
const WARM_UP = 0.3;
const CLAIM = 'x'.repeat(150);
const OUTCOME = 'x'.repeat(260);
const topic = `${servers.prefix}bench-${randomUUID()}`;
const kafka = new kafkajs.Kafka({ clientId: 'bench', brokers: servers.kafkaBrokers, logLevel: kafkajs.logLevel.ERROR });
const log = new BareLog(servers);
const post = signedPosts(url, inFlight);
const waiting = [];
let free = inFlight;
let done = 0;
let from = 0;

async function fill() {
  const admin = kafka.admin();
  await admin.createTopics({ topics: [{ topic, numPartitions: PARTITIONS }], waitForLeaders: true });
  const producer = kafka.producer({ createPartitioner: kafkajs.Partitioners.DefaultPartitioner });
  await producer.connect();
  for (let first = 0; first < count; first += AT_ONCE) {
    const length = Math.min(AT_ONCE, count - first);
    await producer.send({ topic, messages: Array.from({ length }, () => ({ key: randomUUID(), value: 'x'.repeat(300) })) });
  }
  await producer.disconnect();
}

async function deliver() {
  if (!recorded) return post();
  const stream = `${servers.prefix}bench-${randomUUID()}`;
  await log.append(stream, 'DeliveryClaimed', CLAIM, NO_STREAM);
  await post();
  await log.append(stream, 'DeliverySucceeded', OUTCOME, 0n);
}

/** At most so many at once, whichever partitions they are of. */
async function inTurn() {
  if (free > 0) free -= 1;
  else await new Promise((resolve) => waiting.push(resolve));
  await deliver();
  done += 1;
  if (done === Math.floor(count * WARM_UP)) from = performance.now();
  const next = waiting.shift();
  if (next) next();
  else free += 1;
}

await fill();
const consumer = kafka.consumer({ groupId: topic, maxWaitTimeInMs: 250 });
await consumer.connect();
await consumer.subscribe({ topics: [topic], fromBeginning: true });
const over = new Promise((resolve) => {
  const eachBatch = async ({ batch }) => {
    await Promise.all(batch.messages.map(inTurn));
    if (done >= count) resolve();
  };
  void consumer.run({ partitionsConsumedConcurrently: PARTITIONS, eachBatch });
});
await over;
tell({ perSecond: (count * (1 - WARM_UP) * 1_000) / (performance.now() - from) });
