import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { freePort } from '../free-port.mjs';
import { startKafka } from './kafka.mjs';

/** The servers' own topics, as with three brokers in production. */
const REPLICATED = {
  'default.replication.factor': 3,
  'min.insync.replicas': 2,
  'offsets.topic.replication.factor': 3,
  'transaction.state.log.replication.factor': 3,
  'transaction.state.log.min.isr': 2,
};

export class KafkaBrokers {
  constructor(brokers) {
    this.brokers = brokers;
  }

  static async start({ directory }) {
    const nodes = await Promise.all([1, 2, 3].map(async (id) => ({ id, controllerPort: await freePort() })));
    const voters = nodes.map(({ id, controllerPort }) => `${id}@127.0.0.1:${controllerPort}`).join(',');
    // An id with a leading dash would be taken for an option.
    const clusterId = randomBytes(16).toString('base64url').replace(/^-/, 'A');
    const starting = nodes.map(({ id, controllerPort }) => {
      const properties = { ...REPLICATED, 'node.id': id, 'controller.quorum.voters': voters };
      return startKafka({ directory: join(directory, String(id)), controllerPort, clusterId, properties });
    });
    const started = await Promise.allSettled(starting);
    const failed = started.find(({ status }) => status === 'rejected');
    const brokers = started.flatMap(({ value }) => value ?? []);
    if (!failed) return new KafkaBrokers(brokers);
    await Promise.all(brokers.map((broker) => broker.kill()));
    throw failed.reason;
  }

  get url() {
    return this.brokers.map(({ url }) => url).join(',');
  }

  async kill() {
    await Promise.all(this.brokers.map((broker) => broker.kill()));
  }
}
