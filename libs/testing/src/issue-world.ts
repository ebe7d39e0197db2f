import type { QueryBus } from '@nestjs/cqrs';
import { IssueDirectory } from '@application/issues/issue-directory';
import { IssueTallies } from '@application/issues/issue-tallies';
import { IssueViews } from '@application/issues/issue-views';
import { DismissIssue, ListIssues, type IssueOwner } from '@application/issues/issue.commands';
import { DismissIssueHandler, ListIssuesHandler } from '@application/issues/issue.handlers';
import { issuesProjection } from '@application/issues/issues.projection';
import { AwayServers } from '@application/issues/judge/away-servers';
import { FailedDeliveries } from '@application/issues/judge/failed-deliveries';
import { FailingAgents } from '@application/issues/judge/failing-agents';
import { FailingEndpoints } from '@application/issues/judge/failing-endpoints';
import { IssueJudge } from '@application/issues/judge/issue-judge';
import { issueRules, type IssueRules } from '@application/issues/judge/issue-rules';
import { IssueSweeper } from '@application/issues/judge/issue.sweeper';
import { KnownEndpoints } from '@application/issues/judge/known-endpoints';
import { LackingComponents } from '@application/issues/judge/lacking-components';
import { LaggingReadModels, type ReadModelLags } from '@application/issues/judge/lagging-read-models';
import { LowDisk } from '@application/issues/judge/low-disk';
import { StoppedEndpointsReactor } from '@application/issues/judge/stopped-endpoints.reactor';
import { TroubleWatch } from '@application/issues/judge/trouble-watch.sweeper';
import { UnrecoveredDeliveries } from '@application/issues/judge/unrecovered-deliveries';
import { IssueFeed } from '@application/issues/posts/issue-feed';
import { OperatorPostSender } from '@application/issues/posts/operator-post-sender';
import { OperatorWebhookSweeper } from '@application/issues/posts/operator-webhook.sweeper';
import { PostsRecord } from '@application/issues/posts/posts-record';
import { conversationsProjection } from '@application/conversations/state/conversations.projection';
import { SkippedEventDirectory } from '@application/skipped-events/skipped-event-directory';
import { skippedEventsProjection } from '@application/skipped-events/skipped-events.projection';
import { deliveriesProjection } from '@application/webhooks/deliveries.projection';
import { eventsProjection } from '@application/webhooks/fan-out/events.projection';
import type { Issue } from '@domain/issue/issue';
import type { Disk, EnginePart } from '@ports/engine.port';
import type { Filter } from '@ports/read-models.port';
import type { OperatorWebhook, Settings } from '@ports/settings.port';
import { DeliveryWorld } from './delivery-world.js';
import { settle } from './fake-clock.js';
import { FakeEngine } from './fake-engine.js';
import { FakeSender } from './fake-sender.js';

export const OPERATOR: OperatorWebhook = {
  url: 'http://10.0.0.5:81/issues',
  secret: `whsec_${Buffer.alloc(32, 5).toString('base64')}`,
};

/** The read models of such a world. */
export const ISSUES_HOSTED = {
  projections: [conversationsProjection, eventsProjection, deliveriesProjection, issuesProjection, skippedEventsProjection],
};

/** An engine whose servers and disk a test sets. */
class WatchedEngine extends FakeEngine {
  readonly servers = new Map<string, boolean>();
  free: Disk | null = null;

  override parts(): Promise<readonly EnginePart[]> {
    return Promise.resolve([...this.servers].map(([name, ready]) => ({ name, ready, needed: true })));
  }

  override disk(): Promise<Disk | null> {
    return Promise.resolve(this.free);
  }
}

/** Deliveries, and who judges what is wrong with them and tells the operator; rounds are made by the test. */
export class IssueWorld {
  readonly engine = new WatchedEngine();
  readonly operator: FakeSender;
  readonly lags = { isHosting: true, lagMs: 0, status: () => Promise.resolve([{ name: 'events', lagMs: this.lags.lagMs }]) };
  readonly directory: IssueDirectory;
  readonly skipped: SkippedEventDirectory;
  readonly rules: IssueRules;
  readonly judge: IssueJudge;
  readonly watch: TroubleWatch;
  readonly sweeper: IssueSweeper;
  readonly stops: StoppedEndpointsReactor;
  readonly webhook: OperatorWebhookSweeper;
  private readonly views: IssueViews;

  private constructor(readonly deliveries: DeliveryWorld) {
    const { ledger, directory: endpoints, streams } = deliveries;
    const { ports, clock, ids, fresh, secrets } = ledger;
    const { readModels, events } = ports;
    this.operator = new FakeSender(clock);
    this.directory = new IssueDirectory(ledger.streams);
    this.skipped = new SkippedEventDirectory(ledger.streams);
    const tallies = new IssueTallies(readModels);
    this.views = new IssueViews(tallies);
    const known = new KnownEndpoints(endpoints);
    const servers = new AwayServers(this.engine);
    const unrecovered = new UnrecoveredDeliveries(readModels, streams);
    const lags = this.lags as ReadModelLags;
    this.rules = issueRules(
      new FailingEndpoints(readModels, fresh, known),
      new FailedDeliveries(readModels, fresh, known, unrecovered),
      new FailingAgents(readModels, fresh),
      new LaggingReadModels(lags),
      new LackingComponents(readModels, this.skipped),
      servers,
      new LowDisk(this.engine),
      known,
    );
    this.judge = new IssueJudge(this.rules, this.directory, tallies, ids);
    this.stops = new StoppedEndpointsReactor(known, this.judge);
    this.watch = new TroubleWatch(servers);
    this.sweeper = new IssueSweeper(this.judge, this.rules, lags, readModels);
    const record = new PostsRecord(events, this.engine, clock, ids);
    const sender = new OperatorPostSender(events, this.operator, secrets, clock);
    const feed = new IssueFeed(events, clock);
    this.webhook = new OperatorWebhookSweeper(deliveries.settings, record, feed, sender, events, clock);
  }

  /** Over new data, or over that of `deliveries`. */
  static async create(deliveries?: DeliveryWorld): Promise<IssueWorld> {
    const over = deliveries ?? (await DeliveryWorld.create({ operatorWebhook: OPERATOR }, undefined, undefined, ISSUES_HOSTED));
    const world = new IssueWorld(over);
    await world.ledger.sweep(world.webhook, over.ledger.shutdown.begun);
    return world;
  }

  /** A new process over the same data. */
  async restarted(changes: Partial<Settings> = {}): Promise<IssueWorld> {
    const deliveries = await this.deliveries.killed(changes);
    await deliveries.working(ISSUES_HOSTED);
    const world = new IssueWorld(deliveries);
    await world.ledger.sweep(world.webhook, deliveries.ledger.shutdown.begun);
    return world;
  }

  /** Another judge and teller over the same data, in this process. */
  beside(): IssueWorld {
    return new IssueWorld(this.deliveries);
  }

  get ledger() {
    return this.deliveries.ledger;
  }

  /** One round of each sweep. */
  async round(): Promise<void> {
    const { ledger } = this;
    const { begun } = ledger.shutdown;
    await ledger.sweep(this.watch, begun);
    await ledger.sweep(this.sweeper, begun);
    await this.told();
  }

  /** A round of the teller, after its feed has seen what was stored. */
  async told(): Promise<void> {
    for (let turn = 0; turn < 20; turn++) await settle();
    await this.ledger.sweep(this.webhook, this.ledger.shutdown.begun);
  }

  /** Lets time pass, with a round after each step. */
  async elapse(ms: number, step: number): Promise<void> {
    for (let left = ms; left > 0; left -= step) {
      await this.deliveries.elapse(Math.min(step, left));
      await this.round();
    }
  }

  async issues(filter: Filter = [], owner: IssueOwner = 'all'): Promise<readonly Issue[]> {
    const handler = new ListIssuesHandler(this.queries, this.views);
    const page = { limit: 100, order: 'asc', startingAfter: null, endingBefore: null } as const;
    return (await handler.execute(new ListIssues(owner, filter, page))).items;
  }

  dismiss(issueId: string, owner: IssueOwner = 'all'): Promise<Issue> {
    const handler = new DismissIssueHandler(this.queries, this.directory, this.views);
    return handler.execute(new DismissIssue(this.ledger.context(), owner, issueId));
  }

  /** What the operator was told, as `iss_….opened`. */
  get posts(): readonly string[] {
    return this.operator.sent.map(({ headers }) => headers['webhook-id'] ?? '');
  }

  close(): Promise<void> {
    return this.deliveries.close();
  }

  private get queries(): QueryBus {
    return this.deliveries.queries;
  }
}
