import type { QueryBus } from '@nestjs/cqrs';
import { AttemptClaims } from '@application/webhooks/attempts/attempt-claims';
import { AttemptSender } from '@application/webhooks/attempts/attempt-sender';
import { deliveriesProjection } from '@application/webhooks/deliveries.projection';
import { ListEventDeliveries, ReplayDelivery, ReplayEvent } from '@application/webhooks/delivery.commands';
import { DeliveryConsumer } from '@application/webhooks/attempts/delivery.consumer';
import { ListEventDeliveriesHandler, ReplayDeliveryHandler } from '@application/webhooks/delivery.handlers';
import { ReplayEventHandler } from '@application/webhooks/replay-event.handler';
import { DeliveryCounts } from '@application/webhooks/delivery-counts';
import { DeliveryLogger } from '@application/webhooks/delivery-logger';
import { DeliveryStreams } from '@application/webhooks/delivery-streams';
import { DeliveryTopics } from '@application/webhooks/delivery-topics';
import type { DeliveryView } from '@application/webhooks/delivery-view';
import { DeliveryWorker } from '@application/webhooks/attempts/delivery.worker';
import { DueDeliveries } from '@application/webhooks/due-deliveries';
import { EndpointHistory } from '@application/webhooks/fan-out/endpoint-history';
import { AttemptScheduler } from '@application/webhooks/attempts/attempt-scheduler';
import { EventChanges } from '@application/webhooks/fan-out/event-changes';
import { FannedOutEvents } from '@application/webhooks/fan-out/fanned-out-events';
import { EventFanOut } from '@application/webhooks/fan-out/event-fan-out';
import { ExpiredEventsReactor } from '@application/webhooks/retention/expired-events.reactor';
import { FanOutReactor } from '@application/webhooks/fan-out/fan-out.reactor';
import { EndpointRemovalReactor } from '@application/webhooks/attempts/endpoint-removal.reactor';
import { GoneReceiverReactor } from '@application/webhooks/attempts/gone-receiver.reactor';
import { FailingEndpointsSweeper } from '@application/webhooks/pauses/failing-endpoints.sweeper';
import { PausedDeliveriesReactor } from '@application/webhooks/pauses/paused-deliveries.reactor';
import { NewDeliveries } from '@application/webhooks/new-deliveries';
import { OrphanedClaimsSweeper } from '@application/webhooks/attempts/orphaned-claims.sweeper';
import { OverdueSweeper } from '@application/webhooks/attempts/overdue.sweeper';
import { RetentionSweeper } from '@application/webhooks/retention/retention.sweeper';
import { AttemptRunner } from '@application/webhooks/attempts/attempt-runner';
import { OrphanedRows } from '@application/webhooks/retention/orphaned-rows';
import { RegisterEndpoint, type EndpointInput } from '@application/webhooks/endpoints/endpoint.commands';
import { EndpointInputs } from '@application/webhooks/endpoints/endpoint-inputs';
import { RegisterEndpointHandler } from '@application/webhooks/endpoints/endpoint.handlers';
import { EndpointDirectory } from '@application/webhooks/endpoints/endpoint-directory';
import { EndpointHealth } from '@application/webhooks/endpoints/endpoint-health';
import { OldestPending } from '@application/webhooks/endpoints/oldest-pending';
import { EndpointViews } from '@application/webhooks/endpoints/endpoint-views';
import { HeaderSealingReactor } from '@application/webhooks/endpoints/header-sealing.reactor';
import { HeaderSecrets } from '@application/webhooks/endpoints/header-secrets';
import { SigningSecrets } from '@application/webhooks/endpoints/signing-secrets';
import { EmittedEvents } from '@application/webhooks/fan-out/emitted-events';
import { GetEventHandler, ListEventsHandler } from '@application/webhooks/fan-out/event.handlers';
import { GetEvent, ListEvents } from '@application/webhooks/fan-out/event.queries';
import { eventsProjection } from '@application/webhooks/fan-out/events.projection';
import { tasksProjection } from '@application/tasks/tasks.projection';
import { GetRow } from '@application/read-models/get-row.query';
import type { HostRegistry } from '@application/projections/host-registry';
import { ListPage } from '@application/read-models/list-page.query';
import type { PageRequest } from '@application/paging/page';
import type { Subscription } from '@ports/message-bus.port';
import type { Settings } from '@ports/settings.port';
import { bulkTasksOf, type BulkTasks } from './bulk-tasks.js';
import { settle } from './fake-clock.js';
import { FakeSender } from './fake-sender.js';
import { instancesOn } from './instances-on.js';
import { fakeSettings } from './fake-settings.js';
import { LEDGER_PROJECT, LedgerWorld } from './ledger-world.js';

const S = 1_000;
const M = 60 * S;
const H = 60 * M;
const WAITS = [0, 5 * S, 30 * S, 5 * M, 30 * M, 2 * H, 5 * H, 10 * H, 24 * H] as const;

/** The default schedule without jitter. */
export const SCHEDULE = { waits: WAITS, mode: 'gap', jitter: 0 } as const;

export const ENDPOINT_INPUT: EndpointInput = {
  url: 'https://a.example/hooks',
  filters: [],
  description: null,
  headers: {},
  metadata: '{}',
  disableOnGone: false,
  rateLimitPerSecond: null,
};

/** Deliveries over a ledger: the reactors, the worker with its topics, and receivers with scripted answers. */
export class DeliveryWorld {
  readonly sender: FakeSender;
  readonly settings: Settings;
  readonly directory: EndpointDirectory;
  readonly health: EndpointHealth;
  readonly views: EndpointViews;
  readonly signing: SigningSecrets;
  readonly headers: HeaderSecrets;
  readonly counts = new DeliveryCounts();
  readonly streams: DeliveryStreams;
  readonly topics: DeliveryTopics;
  readonly scheduler: AttemptScheduler;
  readonly found: DueDeliveries;
  readonly scheduling: NewDeliveries;
  readonly emitted: EmittedEvents;
  readonly consumer: DeliveryConsumer;
  readonly reactors: HostRegistry['reactors'];
  readonly overdue: OverdueSweeper;
  readonly orphaned: OrphanedClaimsSweeper;
  readonly retention: RetentionSweeper;
  readonly failing: FailingEndpointsSweeper;
  readonly bulk: BulkTasks;
  readonly queries = { execute: (query: unknown) => this.ask(query) } as unknown as QueryBus;
  private subscriptions: readonly Subscription[] = [];

  private constructor(
    readonly ledger: LedgerWorld,
    settings: Partial<Settings>,
    private readonly hasTasks: boolean,
    sender?: FakeSender,
  ) {
    const { clock, ids, secrets, ports } = ledger;
    const { events, readModels, bus, engine } = ports;
    this.scheduler = new AttemptScheduler(ledger.shutdown, clock, engine);
    this.sender = sender ?? new FakeSender(clock);
    this.settings = fakeSettings({ retrySchedule: SCHEDULE, ...settings });
    this.directory = new EndpointDirectory(ledger.streams, clock);
    this.health = new EndpointHealth(readModels, ledger.fresh, new OldestPending(readModels));
    this.views = new EndpointViews(this.health, clock);
    this.signing = new SigningSecrets(ids, secrets);
    this.headers = new HeaderSecrets(this.directory, secrets);
    this.streams = new DeliveryStreams(ledger.streams, events, this.counts, new DeliveryLogger(this.health, clock));
    this.topics = new DeliveryTopics(bus, this.settings, clock);
    this.found = new DueDeliveries(readModels, ledger.fresh, clock);
    this.scheduling = new NewDeliveries(this.settings, ids);
    this.emitted = new EmittedEvents(events);
    this.reactors = this.reacting();
    this.overdue = new OverdueSweeper(this.found, this.topics, this.settings, clock);
    this.orphaned = new OrphanedClaimsSweeper(this.found, this.topics, this.scheduler, engine, this.settings);
    const orphaned = new OrphanedRows(this.streams, readModels);
    this.retention = new RetentionSweeper(this.streams, readModels, this.found, orphaned, clock);
    const instances = instancesOn(ports.records, clock, 'one');
    this.failing = new FailingEndpointsSweeper(readModels, this.directory, instances, this.settings, clock, ids);
    this.consumer = this.newConsumer();
    this.bulk = bulkTasksOf(this);
  }

  /** Calls `prepare` before the host and the consumer start. */
  static async create(
    settings: Partial<Settings> = {},
    prepare: (world: DeliveryWorld) => void = () => undefined,
    ledger?: LedgerWorld,
    hosted: Partial<HostRegistry> = {},
  ): Promise<DeliveryWorld> {
    const world = new DeliveryWorld(ledger ?? (await LedgerWorld.create()), settings, false);
    prepare(world);
    return world.working(hosted);
  }

  /** With work in bulk: tasks are looked for twice a second of the clock, which slows down a test that lets days pass. */
  static async withTasks(): Promise<DeliveryWorld> {
    return new DeliveryWorld(await LedgerWorld.create(), {}, true).working();
  }

  /** A new process over the same data, not yet started. Work in flight in this process is lost. */
  async killed(changes: Partial<Settings> = {}): Promise<DeliveryWorld> {
    return new DeliveryWorld(await this.ledger.restarted(), { ...this.settings, ...changes }, this.hasTasks, this.sender);
  }

  /** Another process over the same engine, not yet started, with the same receivers. It ends with this one. */
  beside(): DeliveryWorld {
    return new DeliveryWorld(this.ledger.beside(), this.settings, this.hasTasks, this.sender);
  }

  /** Starts the host and the consumer. */
  async working(hosted: Partial<HostRegistry> = {}): Promise<this> {
    const projections = [eventsProjection, deliveriesProjection, tasksProjection];
    const taskKinds = this.hasTasks ? this.bulk.kinds : [];
    await this.ledger.hosting({ projections, reactors: this.reactors, taskKinds, ...hosted });
    await this.consuming();
    return this;
  }

  async consuming(): Promise<void> {
    const { bus } = this.ledger.ports;
    const topics = this.topics.declarations();
    await bus.declare(topics);
    const all = topics.map(({ name }) =>
      bus.consume(name, [name], (message) => Promise.resolve(this.consumer.onPointer(message.value, message))),
    );
    this.subscriptions = await Promise.all(all);
  }

  private newConsumer(): DeliveryConsumer {
    const { streams, settings, topics, found, sender, counts } = this;
    const { clock, ids, ports, shutdown } = this.ledger;
    const claims = new AttemptClaims(streams, settings, ports.engine, clock, ids, shutdown);
    const sending = new AttemptSender(streams, this.signing, this.headers, sender, clock, counts);
    const worker = new DeliveryWorker(this.directory, claims, sending, topics, counts);
    const runner = new AttemptRunner(worker, found, streams, topics, clock, counts);
    return new DeliveryConsumer(runner, this.scheduler, topics, settings, clock, counts);
  }

  async register(changes: Partial<EndpointInput> = {}, context = this.ledger.context()) {
    const guard = { objection: () => null };
    const details = { ...ENDPOINT_INPUT, ...changes };
    const { directory, signing, headers, views } = this;
    const inputs = new EndpointInputs(directory, headers, guard);
    const handler = new RegisterEndpointHandler(directory, inputs, signing, views, this.ledger.ids);
    return handler.execute(new RegisterEndpoint(context, details));
  }

  replay(eventId: string, deliveryId: string, context = this.ledger.context()): Promise<DeliveryView> {
    const handler = new ReplayDeliveryHandler(this.streams, this.directory, this.scheduling, this.queries, this.ledger.clock);
    return handler.execute(new ReplayDelivery(context, eventId, deliveryId));
  }

  replayEvent(eventId: string, endpointIds: readonly string[] | null = null, context = this.ledger.context()) {
    const { streams, directory, scheduling, ledger } = this;
    const handler = new ReplayEventHandler(this.fannedOut(), streams, directory, scheduling, ledger.clock, ledger.ids);
    return handler.execute(new ReplayEvent(context, eventId, endpointIds));
  }

  private fannedOut(): FannedOutEvents {
    const { emitted, scheduling, streams, ledger } = this;
    const { clock, ports } = ledger;
    const changes = new EventChanges(this.queries, ports.events, clock);
    const fanOut = new EventFanOut(emitted, scheduling, streams, clock);
    return new FannedOutEvents(streams, changes, new EndpointHistory(ports.events), fanOut, clock);
  }

  async deliveries(
    eventId: string,
    projectId = LEDGER_PROJECT,
    changes: Partial<PageRequest> = {},
  ): Promise<readonly DeliveryView[]> {
    const { lists, ports, clock } = this.ledger;
    const handler = new ListEventDeliveriesHandler(this.streams, this.queries, lists, ports.events, clock);
    const page = { limit: 100, order: 'asc', startingAfter: null, endingBefore: null, ...changes } as const;
    return (await handler.execute(new ListEventDeliveries(projectId, eventId, null, page))).items;
  }

  events(types: readonly string[] = []) {
    const page = { limit: 100, order: 'asc', startingAfter: null, endingBefore: null } as const;
    const handler = new ListEventsHandler(this.queries, this.emitted, this.ledger.clock);
    return handler.execute(new ListEvents(LEDGER_PROJECT, types, [], page));
  }

  event(eventId: string, projectId = LEDGER_PROJECT) {
    return new GetEventHandler(this.queries, this.emitted, this.ledger.clock).execute(new GetEvent(projectId, eventId));
  }

  /** Books an appointment and returns the id of the emitted event. */
  async emit(startsAt?: number): Promise<string> {
    const { appointment } = await this.ledger.book(startsAt === undefined ? {} : { startsAt });
    const [event] = (await this.events()).items.filter(({ body }) => body.includes(appointment.id));
    if (!event) throw new Error('nothing was emitted');
    return event.id;
  }

  /** Resolves once no more work can happen without the clock moving. */
  async quiet(): Promise<void> {
    for (let calm = 0, before = ''; calm < 30;) {
      await this.ledger.clock.advance(0);
      await settle();
      const now = `${await this.ledger.ports.events.head()} ${this.sender.sent.length}`;
      calm = now === before ? calm + 1 : 0;
      before = now;
    }
  }

  /** Advances the clock in steps and waits for `quiet` after each. */
  async elapse(ms: number, step = ms): Promise<void> {
    for (let left = ms; left > 0; left -= step) {
      await this.ledger.clock.advance(Math.min(step, left));
      await this.quiet();
    }
  }

  async close(): Promise<void> {
    await this.leave();
    await this.ledger.close();
  }

  private reacting(): HostRegistry['reactors'] {
    const { clock, fresh, ports } = this.ledger;
    const fanOut = new EventFanOut(this.emitted, this.scheduling, this.streams, clock);
    return [
      new FanOutReactor(fanOut, new EndpointHistory(ports.events), this.topics),
      new EndpointRemovalReactor(this.found, this.streams, clock),
      new GoneReceiverReactor(this.streams, this.directory),
      new PausedDeliveriesReactor(this.found, this.streams, this.topics, this.directory, clock),
      new ExpiredEventsReactor(this.streams, fresh),
      new HeaderSealingReactor(this.headers),
    ];
  }

  /** Consumes no longer: other processes get the partitions. */
  async leave(): Promise<void> {
    const open = this.subscriptions;
    this.subscriptions = [];
    await Promise.all(open.map((subscription) => subscription.close()));
  }

  private ask(query: unknown): Promise<unknown> {
    if (query instanceof ListPage) return this.ledger.pages.execute(query as ListPage<object>);
    if (query instanceof GetRow) return this.ledger.row.execute(query as GetRow<object>);
    if (query instanceof GetEvent) return this.event(query.eventId, query.projectId);
    throw new Error('an unknown query');
  }
}
