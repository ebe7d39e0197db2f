import type { IssueKind } from '@domain/issue/issue-kinds';
import type { AwayServers } from './away-servers.js';
import type { FailedDeliveries } from './failed-deliveries.js';
import type { FailingAgents } from './failing-agents.js';
import type { FailingEndpoints } from './failing-endpoints.js';
import type { IssueRule } from './issue-rule.js';
import type { KnownEndpoints } from './known-endpoints.js';
import type { LackingComponents } from './lacking-components.js';
import type { LaggingReadModels } from './lagging-read-models.js';
import type { LowDisk } from './low-disk.js';
import { StoppedEndpoints } from './stopped-endpoints.js';

/** The rule of each kind; a kind without one does not compile. */
export type IssueRules = Readonly<Record<IssueKind, IssueRule>>;

export const ISSUE_RULES = Symbol('the rules of issues');

export function issueRules(
  failingEndpoints: FailingEndpoints,
  failedDeliveries: FailedDeliveries,
  failingAgents: FailingAgents,
  laggingReadModels: LaggingReadModels,
  lackingComponents: LackingComponents,
  awayServers: AwayServers,
  lowDisk: LowDisk,
  endpoints: KnownEndpoints,
): IssueRules {
  return {
    endpoint_failing: failingEndpoints,
    endpoint_paused: new StoppedEndpoints(endpoints, 'endpoint_paused'),
    endpoint_gone: new StoppedEndpoints(endpoints, 'endpoint_gone'),
    deliveries_failed: failedDeliveries,
    agent_failing: failingAgents,
    projection_behind: laggingReadModels,
    event_skipped: lackingComponents,
    server_away: awayServers,
    disk_low: lowDisk,
  };
}
