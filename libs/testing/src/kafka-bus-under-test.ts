import { SystemClock } from '@adapters/clock.system';
import { FakeClock } from './fake-clock.js';
import type { KafkaWorld } from './kafka-world.js';

const pace = new SystemClock();

/** Buses over one Kafka for the contract of the message bus. `closeBroker` ends what the caller has started. */
export function kafkaBusUnderTest(world: KafkaWorld, closeBroker = () => Promise.resolve()) {
  const clock = new FakeClock();
  const open = () => world.bus({ clock, pace });
  return {
    bus: open(),
    clock,
    another: () => Promise.resolve(open()),
    async restart() {
      await world.closeBuses();
      return open();
    },
    async close() {
      await world.close();
      await closeBroker();
    },
  };
}
