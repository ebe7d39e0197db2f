import { Module } from '@nestjs/common';
import { EndpointsModule } from '../endpoints/endpoints.module.js';
import { AttemptClaims } from './attempt-claims.js';
import { AttemptSender } from './attempt-sender.js';
import { DeliveryConsumer } from './delivery.consumer.js';
import { WebhooksModule } from '../webhooks.module.js';
import { DeliveryWorker } from './delivery.worker.js';
import { AttemptRunner } from './attempt-runner.js';
import { TracedAttempts } from './traced-attempts.js';

/** The app connects the consumer to the bus by a transport strategy. */
@Module({
  imports: [EndpointsModule, WebhooksModule],
  controllers: [DeliveryConsumer],
  providers: [AttemptClaims, AttemptSender, DeliveryWorker, AttemptRunner, TracedAttempts],
})
export class DeliveryConsumerModule {}
