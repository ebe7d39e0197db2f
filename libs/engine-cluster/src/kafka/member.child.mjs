// A group member in its own process, to be killed. Tells its parent when it gets partitions.
import { Kafka } from 'kafkajs';

const { brokers, topic, ...settings } = JSON.parse(process.argv[2]);
const consumer = new Kafka({ brokers, logLevel: 0 }).consumer(settings);
consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => process.send({ partitions: payload.memberAssignment[topic] ?? [] }));
process.once('disconnect', () => process.exit());
await consumer.connect();
await consumer.subscribe({ topics: [topic], fromBeginning: true });
await consumer.run({ autoCommit: false, eachBatchAutoResolve: false, eachBatch: () => Promise.resolve() });
