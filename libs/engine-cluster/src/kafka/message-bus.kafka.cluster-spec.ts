import { SystemClock } from '@adapters/clock.system';
import { messageBusContract } from '@ports/contracts/message-bus.contract';
import { FakeClock } from '@testing/fake-clock';
import { randomUUID } from 'node:crypto';
import { KafkaMessageBus } from './message-bus.kafka.js';
import { TroubleLogger } from './trouble-logger.js';

messageBusContract('KafkaMessageBus', () => {
  const clock = new FakeClock();
  const settings = {
    kafkaBrokers: (process.env.KAFKA_BROKERS ?? '').split(','),
    replicationFactor: 1,
    prefix: `run-${randomUUID()}.`,
  };
  const buses: KafkaMessageBus[] = [];
  const open = () => {
    const pace = new SystemClock();
    const bus = new KafkaMessageBus({ settings, clock, pace, log: new TroubleLogger(console, pace) });
    buses.push(bus);
    return bus;
  };
  const close = async () => {
    await Promise.all(buses.splice(0).map((bus) => bus.close()));
  };
  return Promise.resolve({
    bus: open(),
    clock,
    another: () => Promise.resolve(open()),
    async restart() {
      await close();
      return open();
    },
    close,
  });
});
