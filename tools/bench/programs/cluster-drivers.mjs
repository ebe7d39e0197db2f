import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';

/** With credentials the driver makes a call of its own for each append, as the service does. */
const calling = { credentials: { username: 'admin', password: 'changeit' } };

/** A function that appends an event through the driver and nothing else. */
export function bareAppend({ eventStoreUrl, prefix }) {
  const client = EventStoreDBClient.connectionString(eventStoreUrl);
  return (stream, type, text, expectedRevision) => {
    const event = jsonEvent({ id: randomUUID(), type, data: { type, at: Date.now(), text } });
    return client.appendToStream(prefix + stream, event, { ...calling, expectedRevision });
  };
}

/** MongoDB through its driver and nothing else, written to as the service does. */
export function bareDatabase({ mongodbUrl }) {
  return new MongoClient(mongodbUrl, { maxPoolSize: 50, writeConcern: { w: 1, journal: true } }).db();
}
