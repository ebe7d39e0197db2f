import { Module } from '@nestjs/common';
import { AuditModule } from '@application/audit/audit.module';
import { AuditRetentionSweeper } from '@application/audit/audit-retention.sweeper';
import { ConversationsModule } from '@application/conversations/conversations.module';
import { IdleSweeper } from '@application/conversations/idle.sweeper';
import { TurnSweeper } from '@application/conversations/turns/turn.sweeper';
import { IssueJudgeModule } from '@application/issues/judge/issue-judge.module';
import { IssueSweeper } from '@application/issues/judge/issue.sweeper';
import { ReadModelLags } from '@application/issues/judge/lagging-read-models';
import { StoppedEndpointsReactor } from '@application/issues/judge/stopped-endpoints.reactor';
import { TroubleWatch } from '@application/issues/judge/trouble-watch.sweeper';
import { IssuesModule } from '@application/issues/issues.module';
import { OperatorWebhookModule } from '@application/issues/posts/operator-webhook.module';
import { OperatorWebhookSweeper } from '@application/issues/posts/operator-webhook.sweeper';
import { SweepersModule } from '@application/sweepers/sweepers.module';
import { ProjectionsModule } from '@application/projections/projections.module';
import { HostedComponents } from '@application/projections/retries/hosted-components';
import { HostedProjections } from '@application/projections/rebuilds/rebuild-task';
import { LogTimeSweeper } from '@application/runtime/log-time.sweeper';
import { SessionsModule } from '@application/sessions/sessions.module';
import { ExpiredTasksReactor } from '@application/tasks/expired-tasks.reactor';
import { TaskRetentionSweeper } from '@application/tasks/task-retention.sweeper';
import { TasksModule } from '@application/tasks/tasks.module';
import { StaleSessionSweeper } from '@application/sessions/stale-session.sweeper';
import { EndpointRemovalReactor } from '@application/webhooks/attempts/endpoint-removal.reactor';
import { GoneReceiverReactor } from '@application/webhooks/attempts/gone-receiver.reactor';
import { OrphanedClaimsSweeper } from '@application/webhooks/attempts/orphaned-claims.sweeper';
import { OverdueSweeper } from '@application/webhooks/attempts/overdue.sweeper';
import { DeliveriesRetryTask } from '@application/webhooks/bulk/deliveries-retry-task';
import { EndpointReconcileTask } from '@application/webhooks/bulk/endpoint-reconcile-task';
import { EndpointRecoverTask } from '@application/webhooks/bulk/endpoint-recover-task';
import { EndpointReplayMissingTask } from '@application/webhooks/bulk/endpoint-replay-missing-task';
import { EndpointsModule } from '@application/webhooks/endpoints/endpoints.module';
import { HeaderSealingReactor } from '@application/webhooks/endpoints/header-sealing.reactor';
import { FanOutReactor } from '@application/webhooks/fan-out/fan-out.reactor';
import { FailingEndpointsSweeper } from '@application/webhooks/pauses/failing-endpoints.sweeper';
import { PausedDeliveriesReactor } from '@application/webhooks/pauses/paused-deliveries.reactor';
import { ExpiredEventsReactor } from '@application/webhooks/retention/expired-events.reactor';
import { RetentionSweeper } from '@application/webhooks/retention/retention.sweeper';
import { WebhooksModule } from '@application/webhooks/webhooks.module';
import { HostedParts } from './operations/hosted-parts.js';
import { HostedReadModels } from './operations/hosted-read-models.js';
import { HostedRunners } from './operations/hosted-runners.js';
import { IssueMetrics } from './operations/issue-metrics.js';
import { RunnerMetrics } from './operations/runner-metrics.js';

const JUDGE = IssueJudgeModule.forRoot({ provide: ReadModelLags, useClass: HostedReadModels });

/** Issues are judged and posted even where no process can hold the lease of reactors: its database may be what is away. */
const ISSUE_SWEEPS = SweepersModule.forRoot({
  imports: [JUDGE, OperatorWebhookModule],
  sweepers: [TroubleWatch, IssueSweeper, OperatorWebhookSweeper],
});

/** All projections, reactors and sweepers. */
@Module({
  imports: [
    WebhooksModule,
    IssuesModule,
    ProjectionsModule.forRoot({
      imports: [ConversationsModule, SessionsModule, EndpointsModule, WebhooksModule, TasksModule, AuditModule, JUDGE],
      reactors: [
        FanOutReactor,
        EndpointRemovalReactor,
        GoneReceiverReactor,
        PausedDeliveriesReactor,
        ExpiredEventsReactor,
        HeaderSealingReactor,
        StoppedEndpointsReactor,
        ExpiredTasksReactor,
      ],
      sweepers: [
        IdleSweeper,
        TurnSweeper,
        StaleSessionSweeper,
        OrphanedClaimsSweeper,
        OverdueSweeper,
        RetentionSweeper,
        FailingEndpointsSweeper,
        TaskRetentionSweeper,
        AuditRetentionSweeper,
        LogTimeSweeper,
      ],
      taskKinds: [DeliveriesRetryTask, EndpointRecoverTask, EndpointReplayMissingTask, EndpointReconcileTask],
      hostedProjections: { provide: HostedProjections, useClass: HostedRunners },
      hostedComponents: { provide: HostedComponents, useClass: HostedParts },
    }),
    ISSUE_SWEEPS,
  ],
  providers: [RunnerMetrics, IssueMetrics],
})
export class ProjectionsHostModule {}
