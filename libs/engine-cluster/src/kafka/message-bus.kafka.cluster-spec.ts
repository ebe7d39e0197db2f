import { SystemClock } from '@adapters/clock.system';
import { messageBusContract } from '@ports/contracts/message-bus.contract';
import { FakeClock } from '@testing/fake-clock';
import { KafkaWorld, OwnKafka } from '@testing/kafka-world';
import { VERSIONS } from '../../../../tools/engines/versions.mjs';

const pace = new SystemClock();

function underTest(world: KafkaWorld, closeBroker = () => Promise.resolve()) {
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

messageBusContract('KafkaMessageBus', () => Promise.resolve(underTest(new KafkaWorld(process.env.KAFKA_BROKERS))));

messageBusContract(`KafkaMessageBus on ${VERSIONS.formerKafka}`, async () => {
  const own = await OwnKafka.start({ version: VERSIONS.formerKafka });
  return underTest(own.world(), () => own.close());
});
