import { Module } from '@nestjs/common';
import { EndpointsModule } from './endpoints/endpoints.module.js';
import { EventsModule } from './fan-out/events.module.js';
import { ListsModule } from '../read-models/lists.module.js';
import { StreamsModule } from '../streams/streams.module.js';
import { DeliveryCounts } from './delivery-counts.js';
import { DeliveryLogger } from './delivery-logger.js';
import { DeliveryStreams } from './delivery-streams.js';
import { DeliveryTopics } from './delivery-topics.js';
import { ListEventDeliveriesHandler, ReplayDeliveryHandler } from './delivery.handlers.js';
import { DueDeliveries } from './due-deliveries.js';
import { EndpointHistory } from './fan-out/endpoint-history.js';
import { AttemptScheduler } from './attempts/attempt-scheduler.js';
import { EventFanOut } from './fan-out/event-fan-out.js';
import { ExpiredEventsReactor } from './retention/expired-events.reactor.js';
import { FanOutReactor } from './fan-out/fan-out.reactor.js';
import { EndpointRemovalReactor } from './attempts/endpoint-removal.reactor.js';
import { OverdueGauge } from './attempts/overdue-gauge.js';
import { NewDeliveries } from './new-deliveries.js';
import { OrphanedClaimsSweeper } from './attempts/orphaned-claims.sweeper.js';
import { OverdueSweeper } from './attempts/overdue.sweeper.js';
import { RetentionSweeper } from './retention/retention.sweeper.js';
import { OrphanedRows } from './retention/orphaned-rows.js';
import { TestEndpointHandler } from './test-endpoint.handler.js';

/** Webhooks but for the attempts themselves, which `DeliveryConsumerModule` adds to the process that makes them. */
@Module({
  imports: [StreamsModule, ListsModule, EndpointsModule, EventsModule],
  providers: [
    DeliveryCounts,
    DeliveryLogger,
    DeliveryStreams,
    DeliveryTopics,
    DueDeliveries,
    EndpointHistory,
    AttemptScheduler,
    EventFanOut,
    OverdueGauge,
    NewDeliveries,
    OrphanedRows,
    ReplayDeliveryHandler,
    ListEventDeliveriesHandler,
    TestEndpointHandler,
    ExpiredEventsReactor,
    FanOutReactor,
    EndpointRemovalReactor,
    OrphanedClaimsSweeper,
    OverdueSweeper,
    RetentionSweeper,
  ],
  exports: [
    DeliveryCounts,
    DeliveryStreams,
    DeliveryTopics,
    DueDeliveries,
    AttemptScheduler,
    ExpiredEventsReactor,
    FanOutReactor,
    EndpointRemovalReactor,
    OrphanedClaimsSweeper,
    OverdueGauge,
    OverdueSweeper,
    RetentionSweeper,
  ],
})
export class WebhooksModule {}
