import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { ListsModule } from '../../read-models/lists.module.js';
import { SkippedEventsModule } from '../../skipped-events/skipped-events.module.js';
import { EndpointsModule } from '../../webhooks/endpoints/endpoints.module.js';
import { WebhooksModule } from '../../webhooks/webhooks.module.js';
import { IssuesModule } from '../issues.module.js';
import { AwayServers } from './away-servers.js';
import { FailedDeliveries } from './failed-deliveries.js';
import { FailingAgents } from './failing-agents.js';
import { FailingEndpoints } from './failing-endpoints.js';
import { IssueJudge } from './issue-judge.js';
import { ISSUE_RULES, issueRules } from './issue-rules.js';
import { IssueSweeper } from './issue.sweeper.js';
import { KnownEndpoints } from './known-endpoints.js';
import { LackingComponents } from './lacking-components.js';
import { LaggingReadModels } from './lagging-read-models.js';
import { LowDisk } from './low-disk.js';
import { StoppedEndpointsReactor } from './stopped-endpoints.reactor.js';
import { TroubleWatch } from './trouble-watch.sweeper.js';
import { UnrecoveredDeliveries } from './unrecovered-deliveries.js';

const RULES = {
  provide: ISSUE_RULES,
  inject: [
    FailingEndpoints,
    FailedDeliveries,
    FailingAgents,
    LaggingReadModels,
    LackingComponents,
    AwayServers,
    LowDisk,
    KnownEndpoints,
  ],
  useFactory: issueRules,
};

/** Judges issues, in a process that may run reactors. */
@Module({})
export class IssueJudgeModule {
  /** @param lags the provider of `ReadModelLags` */
  static forRoot(lags: Provider): DynamicModule {
    return {
      module: IssueJudgeModule,
      imports: [IssuesModule, ListsModule, SkippedEventsModule, EndpointsModule, WebhooksModule],
      providers: [
        lags,
        KnownEndpoints,
        UnrecoveredDeliveries,
        FailingEndpoints,
        FailedDeliveries,
        FailingAgents,
        LaggingReadModels,
        LackingComponents,
        AwayServers,
        LowDisk,
        RULES,
        IssueJudge,
        IssueSweeper,
        TroubleWatch,
        StoppedEndpointsReactor,
      ],
      exports: [IssueSweeper, TroubleWatch, StoppedEndpointsReactor],
    };
  }
}
