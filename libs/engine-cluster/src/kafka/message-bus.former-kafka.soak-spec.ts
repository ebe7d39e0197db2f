import { messageBusContract } from '@ports/contracts/message-bus.contract';
import { kafkaBusUnderTest } from '@testing/kafka-bus-under-test';
import { OwnKafka } from '@testing/kafka-world';
import { VERSIONS } from '../../../../tools/engines/versions.mjs';

messageBusContract(`KafkaMessageBus on ${VERSIONS.formerKafka}`, async () => {
  const own = await OwnKafka.start({ version: VERSIONS.formerKafka });
  return kafkaBusUnderTest(own.world(), () => own.close());
});
