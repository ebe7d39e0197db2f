import type { INestApplication } from '@nestjs/common';
import { DeliveryTopics } from '@application/webhooks/delivery-topics';
import { BusTransport } from '@platform/transport/bus-transport';
import { Clock } from '@ports/clock.port';
import { MessageBus } from '@ports/message-bus.port';

const GROUP = 'delivery';

/** Connects the delivery consumer's handlers to the bus, in this process. */
export async function startDelivery(app: INestApplication): Promise<void> {
  const clock = app.get(Clock);
  const topics = app.get(DeliveryTopics).declarations();
  const strategy = new BusTransport(app.get(MessageBus), topics, GROUP, () => clock.now());
  app.connectMicroservice({ strategy });
  await app.startAllMicroservices();
}
