import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';

/** With credentials the driver makes a call of its own for each append, as the service does. */
export const calling = { credentials: { username: 'admin', password: 'changeit' } };

/** EventStoreDB through its driver and nothing else. */
export class BareLog {
  constructor({ eventStoreUrl }) {
    this.client = EventStoreDBClient.connectionString(eventStoreUrl);
  }

  append(stream, type, text, expectedRevision) {
    const data = { type, at: Date.now(), text };
    return this.client.appendToStream(stream, jsonEvent({ id: randomUUID(), type, data }), { ...calling, expectedRevision });
  }
}

/** MongoDB through its driver and nothing else, written to as the service does. */
export function bareDatabase({ mongodbUrl, writeConcern }) {
  const client = new MongoClient(mongodbUrl, { maxPoolSize: 50, writeConcern: { w: writeConcern, journal: true } });
  return client.db();
}

/** Prints what was found, and ends without waiting for the drivers. */
export function tell(found) {
  process.stdout.write(JSON.stringify(found), () => process.exit(0));
}
