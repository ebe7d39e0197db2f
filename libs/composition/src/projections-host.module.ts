import { Module } from '@nestjs/common';
import { ConversationsModule } from '@application/conversations/conversations.module';
import { IdleSweeper } from '@application/conversations/idle.sweeper';
import { TurnSweeper } from '@application/conversations/turns/turn.sweeper';
import { ProjectionsModule } from '@application/projections/projections.module';
import { LogTimeSweeper } from '@application/runtime/log-time.sweeper';
import { SessionsModule } from '@application/sessions/sessions.module';
import { StaleSessionSweeper } from '@application/sessions/stale-session.sweeper';
import { EndpointRemovalReactor } from '@application/webhooks/attempts/endpoint-removal.reactor';
import { OrphanedClaimsSweeper } from '@application/webhooks/attempts/orphaned-claims.sweeper';
import { OverdueSweeper } from '@application/webhooks/attempts/overdue.sweeper';
import { EndpointsModule } from '@application/webhooks/endpoints/endpoints.module';
import { HeaderSealingReactor } from '@application/webhooks/endpoints/header-sealing.reactor';
import { FanOutReactor } from '@application/webhooks/fan-out/fan-out.reactor';
import { ExpiredEventsReactor } from '@application/webhooks/retention/expired-events.reactor';
import { RetentionSweeper } from '@application/webhooks/retention/retention.sweeper';
import { WebhooksModule } from '@application/webhooks/webhooks.module';
import { RunnerMetrics } from './operations/runner-metrics.js';

/** Every projection, reactor and sweeper, for the process that runs them. */
@Module({
  imports: [
    WebhooksModule,
    ProjectionsModule.forRoot({
      imports: [ConversationsModule, SessionsModule, EndpointsModule, WebhooksModule],
      reactors: [FanOutReactor, EndpointRemovalReactor, ExpiredEventsReactor, HeaderSealingReactor],
      sweepers: [
        IdleSweeper,
        TurnSweeper,
        StaleSessionSweeper,
        OrphanedClaimsSweeper,
        OverdueSweeper,
        RetentionSweeper,
        LogTimeSweeper,
      ],
    }),
  ],
  providers: [RunnerMetrics],
})
export class ProjectionsHostModule {}
