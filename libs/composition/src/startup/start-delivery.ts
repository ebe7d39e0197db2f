import { type INestApplication, Logger } from '@nestjs/common';
import { Shutdown } from '@application/runtime/shutdown';
import { DeliveryTopics } from '@application/webhooks/delivery-topics';
import { BusTransport } from '@platform/transport/bus-transport';
import { Clock } from '@ports/clock.port';
import { failureReason } from '@ports/failure';
import { MessageBus } from '@ports/message-bus.port';

const GROUP = 'delivery';

/**
 * Declares the topics in a process that consumes none of them: it makes those that are missing, and its `/ready` says whether they
 * are there. Where the brokers refuse a topic, the process starts all the same; only the delivery processes do not.
 */
export async function declareTopics(app: INestApplication): Promise<void> {
  try {
    await app.get(MessageBus).declare(app.get(DeliveryTopics).declarations());
  } catch (error) {
    new Logger('MessageBus').warn(`the topics of webhooks cannot be made: ${failureReason(error)}`);
  }
}

/**
 * Connects the delivery consumer's handlers to the bus, in this process, until the shutdown begins: others have its partitions at
 * once, while the attempts under way have the time that the shutdown gives them.
 */
export async function startDelivery(app: INestApplication): Promise<void> {
  const clock = app.get(Clock);
  const topics = app.get(DeliveryTopics).declarations();
  const strategy = new BusTransport(app.get(MessageBus), topics, GROUP, () => clock.now());
  app.connectMicroservice({ strategy });
  await app.startAllMicroservices();
  const { begun } = app.get(Shutdown);
  // What fails then is told to the one who closes the app, and waits for the same.
  const leave = (): void => void strategy.close().catch(() => undefined);
  if (begun.aborted) leave();
  else begun.addEventListener('abort', leave, { once: true });
}
