import { type INestApplication, Logger } from '@nestjs/common';
import { Shutdown } from '@application/runtime/shutdown';
import { DeliveryTopics } from '@application/webhooks/delivery-topics';
import { BusTransport } from '@platform/transport/bus-transport';
import { Clock } from '@ports/clock.port';
import { failureReason } from '@ports/failure';
import { MessageBus } from '@ports/message-bus.port';

const GROUP = 'delivery';

/**
 * Declares the topics in a process that consumes none: creates missing ones, so its `/ready` covers them. If the brokers refuse a topic,
 * only delivery processes fail to start.
 */
export async function declareTopics(app: INestApplication): Promise<void> {
  try {
    await app.get(MessageBus).declare(app.get(DeliveryTopics).declarations());
  } catch (error) {
    new Logger('MessageBus').warn(`the topics of webhooks cannot be created: ${failureReason(error)}`);
  }
}

/**
 * Connects the delivery consumer to the bus until the shutdown begins: others take its partitions at once, while its attempts may finish.
 */
export async function startDelivery(app: INestApplication): Promise<void> {
  const clock = app.get(Clock);
  const topics = app.get(DeliveryTopics).declarations();
  const strategy = new BusTransport(app.get(MessageBus), topics, GROUP, () => clock.now());
  app.connectMicroservice({ strategy });
  await app.startAllMicroservices();
  const { begun } = app.get(Shutdown);
  // Failures are reported to the caller that closes the app and waits for the same.
  const leave = (): void => void strategy.close().catch(() => undefined);
  if (begun.aborted) leave();
  else begun.addEventListener('abort', leave, { once: true });
}
