import { Module } from '@nestjs/common';
import { AppointmentDirectory } from '../appointments/appointment-directory.js';
import { EndpointsModule } from './endpoints/endpoints.module.js';
import { EventsModule } from './fan-out/events.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { ListsModule } from '../read-models/lists.module.js';
import { StreamsModule } from '../streams/streams.module.js';
import { TasksModule } from '../tasks/tasks.module.js';
import { DeliveryCounts } from './delivery-counts.js';
import { DeliveryLogger } from './delivery-logger.js';
import { DeliveryStreams } from './delivery-streams.js';
import { DeliveryTopics } from './delivery-topics.js';
import { ListEventDeliveriesHandler, ReplayDeliveryHandler } from './delivery.handlers.js';
import { DueDeliveries } from './due-deliveries.js';
import { EndpointHistory } from './fan-out/endpoint-history.js';
import { AttemptScheduler } from './attempts/attempt-scheduler.js';
import { GetCausesOfDeliveryHandler, GetCausesOfEventHandler } from './causes/cause.handlers.js';
import { ExplainEventHandler } from './explain/explain-event.handler.js';
import { TryFiltersHandler } from './explain/try-filters.handler.js';
import { FannedOutEvents } from './fan-out/fanned-out-events.js';
import { EventFanOut } from './fan-out/event-fan-out.js';
import { ExpiredEventsReactor } from './retention/expired-events.reactor.js';
import { FanOutReactor } from './fan-out/fan-out.reactor.js';
import { EndpointRemovalReactor } from './attempts/endpoint-removal.reactor.js';
import { GoneReceiverReactor } from './attempts/gone-receiver.reactor.js';
import { OverdueGauge } from './attempts/overdue-gauge.js';
import { NewDeliveries } from './new-deliveries.js';
import { OrphanedClaimsSweeper } from './attempts/orphaned-claims.sweeper.js';
import { OverdueSweeper } from './attempts/overdue.sweeper.js';
import { FailingEndpointsSweeper } from './pauses/failing-endpoints.sweeper.js';
import { PausedDeliveriesReactor } from './pauses/paused-deliveries.reactor.js';
import { RetentionSweeper } from './retention/retention.sweeper.js';
import { OrphanedRows } from './retention/orphaned-rows.js';
import { ListDeliveriesHandler } from './list-deliveries.handler.js';
import { CancelDeliveryHandler, FindEventOfDeliveryHandler, GetDeliveryHandler } from './one-delivery.handlers.js';
import { ReplayEventHandler } from './replay-event.handler.js';
import { GetDeliveryBacklogHandler } from './stats/delivery-backlog.handler.js';
import { GetWebhookStatsHandler } from './stats/webhook-stats.handler.js';
import { BulkAllowance } from './bulk/bulk-allowance.js';
import { RetryDeliveriesHandler } from './bulk/bulk.handlers.js';
import { BulkReplays } from './bulk/bulk-replays.js';
import { BulkResending } from './bulk/bulk-resending.js';
import { BulkWork } from './bulk/bulk-work.js';
import { DeliveriesRetryTask } from './bulk/deliveries-retry-task.js';
import { EndpointReconcileTask } from './bulk/endpoint-reconcile-task.js';
import { EndpointRecoverTask } from './bulk/endpoint-recover-task.js';
import { EndpointReplayMissingTask } from './bulk/endpoint-replay-missing-task.js';
import { OpenEndpointTaskHandler } from './bulk/endpoint-task.handler.js';
import { FirstDeliveries } from './bulk/first-deliveries.js';
import { LatestEvents } from './bulk/latest-events.js';
import { MatchedRows } from './bulk/matched-rows.js';
import { PastEndpoints } from './bulk/past-endpoints.js';
import { SelectedDeliveries } from './bulk/selected-deliveries.js';
import { WantedEvents } from './bulk/wanted-events.js';
import { TestEndpointHandler } from './test-endpoint.handler.js';

/** Webhooks without their attempts, which `DeliveryConsumerModule` adds to the process that makes them. */
@Module({
  imports: [StreamsModule, ListsModule, ProjectsModule, EndpointsModule, EventsModule, TasksModule],
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
    ReplayEventHandler,
    FannedOutEvents,
    GetCausesOfEventHandler,
    GetCausesOfDeliveryHandler,
    ExplainEventHandler,
    TryFiltersHandler,
    ListEventDeliveriesHandler,
    ListDeliveriesHandler,
    FindEventOfDeliveryHandler,
    GetDeliveryHandler,
    CancelDeliveryHandler,
    TestEndpointHandler,
    GetWebhookStatsHandler,
    GetDeliveryBacklogHandler,
    BulkAllowance,
    BulkReplays,
    BulkWork,
    LatestEvents,
    MatchedRows,
    SelectedDeliveries,
    BulkResending,
    PastEndpoints,
    WantedEvents,
    FirstDeliveries,
    DeliveriesRetryTask,
    EndpointRecoverTask,
    EndpointReplayMissingTask,
    EndpointReconcileTask,
    AppointmentDirectory,
    RetryDeliveriesHandler,
    OpenEndpointTaskHandler,
    ExpiredEventsReactor,
    FanOutReactor,
    EndpointRemovalReactor,
    GoneReceiverReactor,
    PausedDeliveriesReactor,
    OrphanedClaimsSweeper,
    OverdueSweeper,
    RetentionSweeper,
    FailingEndpointsSweeper,
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
    GoneReceiverReactor,
    PausedDeliveriesReactor,
    OrphanedClaimsSweeper,
    OverdueGauge,
    OverdueSweeper,
    RetentionSweeper,
    FailingEndpointsSweeper,
    DeliveriesRetryTask,
    EndpointRecoverTask,
    EndpointReplayMissingTask,
    EndpointReconcileTask,
  ],
})
export class WebhooksModule {}
