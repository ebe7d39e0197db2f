import { Module } from '@nestjs/common';
import { EndpointsModule } from '../endpoints/endpoints.module.js';
import { EventsModule } from '../events/events.module.js';
import { ListsModule } from '../read-models/lists.module.js';
import { StreamsModule } from '../streams/streams.module.js';
import { AttemptSteps } from './attempt-steps.js';
import { DeliveryCounts } from './delivery-counts.js';
import { DeliveryStreams } from './delivery-streams.js';
import { DeliveryTopics } from './delivery-topics.js';
import { ListEventDeliveriesHandler, ReplayDeliveryHandler } from './delivery.handlers.js';
import { DueDeliveries } from './due-deliveries.js';
import { EndpointHistory } from './endpoint-history.js';
import { EndpointShares } from './endpoint-shares.js';
import { EventFanOut } from './event-fan-out.js';
import { ExpiredEventsReactor } from './expired-events.reactor.js';
import { FanOutReactor } from './fan-out.reactor.js';
import { GoneEndpointsReactor } from './gone-endpoints.reactor.js';
import { LostDeliveries } from './lost-deliveries.js';
import { NewDeliveries } from './new-deliveries.js';
import { OverdueSweeper } from './overdue.sweeper.js';
import { RetentionSweeper } from './retention.sweeper.js';
import { StrayRows } from './stray-rows.js';
import { TestEndpointHandler } from './test-endpoint.handler.js';

/** Everything about deliveries but making them: who gets what, what is asked about them, what follows the log and the clock. */
@Module({
  imports: [StreamsModule, ListsModule, EndpointsModule, EventsModule],
  providers: [
    AttemptSteps,
    DeliveryCounts,
    DeliveryStreams,
    DeliveryTopics,
    DueDeliveries,
    EndpointHistory,
    EndpointShares,
    EventFanOut,
    LostDeliveries,
    NewDeliveries,
    StrayRows,
    ReplayDeliveryHandler,
    ListEventDeliveriesHandler,
    TestEndpointHandler,
    ExpiredEventsReactor,
    FanOutReactor,
    GoneEndpointsReactor,
    OverdueSweeper,
    RetentionSweeper,
  ],
  exports: [
    AttemptSteps,
    DeliveryCounts,
    DeliveryStreams,
    DeliveryTopics,
    DueDeliveries,
    EndpointShares,
    ExpiredEventsReactor,
    FanOutReactor,
    GoneEndpointsReactor,
    LostDeliveries,
    OverdueSweeper,
    RetentionSweeper,
  ],
})
export class DeliveriesModule {}
