import { messageBusContract } from '@ports/contracts/message-bus.contract';
import { kafkaBusUnderTest } from '@testing/kafka-bus-under-test';
import { KafkaWorld } from '@testing/kafka-world';

messageBusContract('KafkaMessageBus', () => Promise.resolve(kafkaBusUnderTest(new KafkaWorld(process.env.KAFKA_BROKERS))));
