import { setTimeout as pause } from 'node:timers/promises';
import { KafkaBrokers } from '../engines/kafka/brokers.mjs';
import { lateAtMost, onlyExcusedDuplicates } from './checks/deliveries.mjs';
import { nothingLeft } from './checks/operations.mjs';

/** Twice the promised fifteen seconds. */
const LATE_AFTER_BROKERS_MS = 30_000;
const say = (line) => process.stdout.write(`${line}\n`);

const OUTAGES = [[0], [1], [2], [0, 1]].flatMap((which) => ['kill', 'suspend'].map((how) => ({ which, how })));

/** Takes brokers away and brings them back, at most `most` times, in random order. */
export const brokersAway = (most) => ({
  /** Three replicas per topic; two must acknowledge. */
  needs: { engines: { kafka: KafkaBrokers.start }, variables: { KAFKA_REPLICATION_FACTOR: '3' } },
  async trouble({ service, chance }) {
    const { brokers } = service.engines.kafka;
    const left = OUTAGES.map((outage) => ({ ...outage, order: chance.between(0, 1) })).sort((a, b) => a.order - b.order);
    for (const { which, how } of left.slice(0, most)) {
      await pause(chance.between(3_000, 6_000));
      const from = Date.now();
      await away(
        how,
        which.map((index) => brokers[index]),
        chance.between(4_000, 12_000),
      );
      say(`${how}: brokers ${which.map((index) => index + 1).join(' and ')}, ${Date.now() - from} ms`);
      service.outages.push({ from, to: Date.now() });
    }
    await pause(2_000);
  },
  checks: { ...onlyExcusedDuplicates, ...nothingLeft(['sweep_failures_total']), ...lateAtMost(LATE_AFTER_BROKERS_MS) },
});

async function away(how, brokers, ms) {
  if (how === 'suspend') await Promise.all(brokers.map((broker) => broker.ask('suspend')));
  else await Promise.all(brokers.map((broker) => broker.kill()));
  await pause(ms);
  if (how === 'suspend') await Promise.all(brokers.map((broker) => broker.ask('resume')));
  else await Promise.all(brokers.map((broker) => broker.restart()));
}
