// The least a delivery can cost on the cluster: a message is consumed, a claim appended, a signed POST made and an outcome
// appended, each as long as ours, without anything that is made of them.
import { NO_STREAM } from '@eventstore/db-client';
import { randomUUID } from 'node:crypto';
import kafkajs from 'kafkajs';
import { setTimeout as pause } from 'node:timers/promises';
import { callersOf } from './callers.mjs';
import { bareAppend } from './cluster-drivers.mjs';
import { BODY, CLAIM, OUTCOME, signedPosts } from './signed-posts.mjs';

const PARTITIONS = 24;
const SENDS = 20;
const MESSAGES = Array.from({ length: 1_000 }, () => ({ key: randomUUID(), value: 'x'.repeat(300) }));

/** A function that resolves when a message has been consumed for the caller. */
async function consuming({ kafkaBrokers }) {
  const topic = `bench-${randomUUID()}`;
  const kafka = new kafkajs.Kafka({ clientId: 'bench', brokers: kafkaBrokers, logLevel: kafkajs.logLevel.ERROR });
  await kafka.admin().createTopics({ topics: [{ topic, numPartitions: PARTITIONS }], waitForLeaders: true });
  const producer = kafka.producer({ createPartitioner: kafkajs.Partitioners.DefaultPartitioner });
  await producer.connect();
  for (let sent = 0; sent < SENDS; sent += 1) await producer.send({ topic, messages: MESSAGES });
  const consumer = kafka.consumer({ groupId: topic, maxWaitTimeInMs: 250 });
  await consumer.subscribe({ topics: [topic], fromBeginning: true });
  const waiting = [];
  const eachMessage = () => new Promise((resolve) => waiting.push(resolve));
  await consumer.run({ partitionsConsumedConcurrently: PARTITIONS, eachMessage });
  return async () => {
    while (waiting.length === 0) await pause(1);
    waiting.shift()();
  };
}

export async function measure({ servers, url, ...load }) {
  const consumed = await consuming(servers);
  const append = bareAppend(servers);
  const post = signedPosts(url, load.callers);
  return callersOf(load, () => async () => {
    await consumed();
    const stream = `bench-${randomUUID()}`;
    await append(stream, 'DeliveryClaimed', CLAIM, NO_STREAM);
    await post(BODY);
    await append(stream, 'DeliverySucceeded', OUTCOME, 0n);
  });
}
