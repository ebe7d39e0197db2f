import { Logger } from '@nestjs/common';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NodeCryptoSecrets } from '@adapters/secrets.node-crypto';
import { AppointmentDirectory } from '@application/appointments/appointment-directory';
import {
  BookAppointment,
  ChangeAppointment,
  type AppointmentChange,
  type BookingInput,
} from '@application/appointments/appointment.commands';
import { ChangeAppointmentHandler } from '@application/appointments/appointment.handlers';
import { BookAppointmentHandler } from '@application/appointments/book-appointment.handler';
import { NaturalKeys } from '@application/appointments/natural-keys';
import { Claims } from '@application/claims/claims';
import { CustomerDirectory } from '@application/customers/customer-directory';
import { StreamCache } from '@application/streams/stream-cache';
import { requestEnvelope, type RequestContext } from '@application/runtime/request-context';
import { Cursors } from '@application/paging/cursor';
import { FreshRows } from '@application/read-models/fresh-rows';
import type { HostRegistry } from '@application/projections/host-registry';
import { ListPage } from '@application/read-models/list-page.query';
import type { Page, PageRequest } from '@application/paging/page';
import { PagedLists } from '@application/paging/paged-list';
import type { Projection } from '@application/read-models/projection';
import type { ProjectionRunners } from '@application/projections/projection-runners';
import type { ProjectionsHost } from '@application/projections/projections-host';
import { RowPages } from '@application/read-models/row-pages';
import { GetRowHandler, ListPageHandler } from '@application/read-models/row.handlers';
import { FlushRequests } from '@application/read-models/flush-requests';
import { SessionDirectory } from '@application/sessions/session-directory';
import { SessionOpening } from '@application/sessions/session-opening';
import { SessionViews } from '@application/sessions/session-views';
import type { Sweeper } from '@application/runtime/sweeper';
import { timerRound } from '@application/runtime/timer-round';
import { Shutdown } from '@application/runtime/shutdown';
import { StreamRunner } from '@application/streams/stream-runner';
import type { Appointment } from '@domain/appointment/appointment';
import { adaptersOver, openEmbeddedEngine, type EmbeddedPorts } from '@engine-embedded/open-embedded-engine';
import type { EventStore } from '@ports/event-store.port';
import type { Filter, StoredRow } from '@ports/read-models.port';
import { FakeClock } from './fake-clock.js';
import type { Processes } from './fake-engine.js';
import { FakeIds } from './fake-ids.js';
import { hostOf } from './hosting.js';

Logger.overrideLogger(false);

export const LEDGER_PROJECT = 'prj_01J9Z3K8Q4T6V8X0A2C4E6G8J0';
export const OTHER_PROJECT = 'prj_01J9Z3K8Q4T6V8X0A2C4E6G8J1';

/** The ledger on a real engine in a temporary directory, with a fake clock and deterministic ids. */
export class LedgerWorld {
  readonly secrets = new NodeCryptoSecrets(Buffer.alloc(32, 7));
  readonly shutdown = new Shutdown();
  readonly streams: StreamRunner;
  readonly claims: Claims;
  readonly customers: CustomerDirectory;
  readonly sessions: SessionDirectory;
  readonly opening: SessionOpening;
  readonly sessionViews: SessionViews;
  readonly appointments: AppointmentDirectory;
  readonly keys: NaturalKeys;
  readonly booking: BookAppointmentHandler;
  readonly changing: ChangeAppointmentHandler;
  readonly lists: PagedLists;
  readonly fresh: FreshRows;
  private readonly flushRequests = new FlushRequests();
  readonly pages: ListPageHandler;
  readonly row: GetRowHandler;
  private host: ProjectionsHost | null = null;
  private runners: ProjectionRunners | null = null;
  private count = 0;

  private constructor(
    readonly directory: string,
    readonly ports: Omit<EmbeddedPorts, 'events'> & { readonly events: EventStore },
    readonly clock: FakeClock,
    readonly ids: FakeIds,
    private readonly otherLog: EventStore | undefined,
  ) {
    const { events, readModels } = ports;
    this.streams = new StreamRunner(events, new StreamCache(events), clock, ids);
    this.claims = new Claims(this.streams, events, this.secrets, clock);
    this.customers = new CustomerDirectory(this.streams, this.claims, clock);
    this.sessions = new SessionDirectory(this.streams, readModels, clock);
    this.opening = new SessionOpening(this.sessions, this.streams, this.claims, this.customers, clock, ids);
    this.fresh = new FreshRows(events, readModels, this.flushRequests);
    this.sessionViews = new SessionViews(this.fresh);
    this.appointments = new AppointmentDirectory(this.streams);
    this.keys = new NaturalKeys(this.claims, this.appointments);
    this.booking = new BookAppointmentHandler(this.appointments, this.keys, this.sessions, this.customers, clock, ids);
    this.changing = new ChangeAppointmentHandler(this.appointments, this.keys, this.sessions, clock);
    this.lists = new PagedLists(new Cursors(this.secrets));
    this.pages = new ListPageHandler(readModels, new RowPages(events, this.fresh, this.lists));
    this.row = new GetRowHandler(this.fresh);
  }

  /** `events`: a log in place of the engine's own. `processes`: how many the engine admits. */
  static async create({
    directory = mkdtempSync(join(tmpdir(), 'ledger-')),
    clock = new FakeClock(),
    seed = 1,
    events = undefined as EventStore | undefined,
    processes = 'one' as Processes,
  } = {}): Promise<LedgerWorld> {
    const opened = await openEmbeddedEngine(directory, clock);
    const engine = Object.create(opened.engine, { isShared: { value: processes === 'several' } }) as typeof opened.engine;
    const ports = { ...opened, engine };
    return new LedgerWorld(directory, events ? { ...ports, events } : ports, clock, new FakeIds(clock, seed), events);
  }

  /** Starts the projections, reactors and sweepers. */
  async hosting(hosted: Partial<HostRegistry>): Promise<this> {
    const { ports, clock, ids, shutdown, flushRequests } = this;
    const { host, projections } = hostOf({ ports, clock, ids, shutdown, flushRequests }, hosted);
    this.host = host;
    this.runners = projections;
    await host.onApplicationBootstrap();
    return this;
  }

  /** The projection runners; throws before `hosting`. */
  get projections(): ProjectionRunners {
    if (!this.runners) throw new Error('nothing is projected here');
    return this.runners;
  }

  /** A new process over the stored data; everything in memory is lost. */
  async restarted(): Promise<LedgerWorld> {
    await this.stop();
    this.clock.set(this.clock.now() + 1);
    const { directory, clock, otherLog: events } = this;
    return LedgerWorld.create({ directory, clock, seed: this.count + 1_000, events });
  }

  /** Another process over the same engine, with caches of its own. It ends with this one. */
  beside(): LedgerWorld {
    const ids = new FakeIds(this.clock, this.count + 2_000);
    const ports = { ...this.ports, ...adaptersOver(this.ports.store) };
    return new LedgerWorld(this.directory, ports, this.clock, ids, this.otherLog);
  }

  async close(): Promise<void> {
    await this.stop();
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** The context of a request. The same key makes the same ids; `isRetry` marks every execution but the first. */
  context(key: string | null = null, isRetry = false, projectId = LEDGER_PROJECT): RequestContext {
    const name = key ?? `request ${++this.count} of ${this.directory}`;
    const startedAt = key === null ? this.clock.now() : 1_700_000_000_000;
    const [idSeed, requestId] = [[name], 'req_1'];
    const envelope = requestEnvelope(this.ids, { startedAt, idSeed }, requestId, { type: 'client', id: 'key_1' });
    return { projectId, requestId, idempotencyKey: key, startedAt, isRetry, commandId: name, idSeed, envelope };
  }

  async book(input: Partial<BookingInput> = {}, context = this.context()) {
    return this.booking.execute(new BookAppointment(context, bookingInput(input)));
  }

  change(id: string, change: Unversioned<AppointmentChange>, context = this.context()): Promise<Appointment> {
    return this.changing.execute(new ChangeAppointment(context, id, { expectedVersion: null, ...change } as AppointmentChange));
  }

  async list<Row extends object>(
    projection: Projection<never, Row>,
    filter: Filter = [],
    request: Partial<PageRequest> = {},
  ): Promise<Page<StoredRow<Row>>> {
    const page = { limit: 20, order: 'desc', startingAfter: null, endingBefore: null, ...request } as const;
    const query = new ListPage(projection, LEDGER_PROJECT, filter, page);
    return (await this.pages.execute(query as unknown as ListPage<object>)) as Page<StoredRow<Row>>;
  }

  /** One round of a sweeper, now. */
  sweep(sweeper: Sweeper, signal = new AbortController().signal): Promise<void> {
    return sweeper.sweep(this.clock.now(), signal, timerRound(this.ids, sweeper.name));
  }

  private async stop(): Promise<void> {
    this.shutdown.begin();
    await this.host?.beforeApplicationShutdown();
    await this.ports.engine.close();
  }
}

type Unversioned<C> = C extends { readonly expectedVersion: number | null }
  ? Omit<C, 'expectedVersion'> & { readonly expectedVersion?: number | null }
  : never;

export const NINE_ON_MONDAY = Date.UTC(2026, 2, 2, 9);
export const HALF_HOUR = 1_800_000;

export function bookingInput(input: Partial<BookingInput> = {}): BookingInput {
  return {
    sessionId: null,
    customer: null,
    customerId: null,
    externalId: null,
    service: 'dental_cleaning',
    resourceId: null,
    startsAt: NINE_ON_MONDAY,
    endsAt: (input.startsAt ?? NINE_ON_MONDAY) + HALF_HOUR,
    timeZone: 'Europe/Berlin',
    location: null,
    notes: null,
    metadata: '{}',
    reason: null,
    as: { status: 'pending' },
    ...input,
  };
}
