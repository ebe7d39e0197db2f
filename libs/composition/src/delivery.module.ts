import { Module } from '@nestjs/common';
import { SchemasModule } from '@application/projections/schemas.module';
import { DeliveryConsumerModule } from '@application/webhooks/attempts/delivery-consumer.module';
import { WebhooksModule } from '@application/webhooks/webhooks.module';
import { DeliveryMetrics } from './operations/delivery-metrics.js';

/** The delivery consumer with its metrics; `startDelivery` connects it to the bus. */
@Module({ imports: [SchemasModule, WebhooksModule, DeliveryConsumerModule], providers: [DeliveryMetrics] })
export class DeliveryModule {}
