// Preloaded into a service: leaves rejected promises of each driver of the cluster engine unhandled, twice, at its start.
import { EventStoreDBClient } from '@eventstore/db-client';
import kafkajs from 'kafkajs';
import { MongoClient } from 'mongodb';

const NOWHERE = '127.0.0.1:1';

setTimeout(() => {
  for (let time = 0; time < 2; time += 1) {
    void EventStoreDBClient.connectionString(`esdb://${NOWHERE}?tls=false`).tombstoneStream('none');
    void new kafkajs.Kafka({ brokers: [NOWHERE], retry: { retries: 0 }, logLevel: 0 }).admin().connect();
    void new MongoClient(`mongodb://${NOWHERE}`, { serverSelectionTimeoutMS: 50 }).connect();
  }
}, 3_000);
