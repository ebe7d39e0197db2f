import { Logger } from '@nestjs/common';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NodeCryptoSecrets } from '@adapters/secrets.node-crypto';
import { Cursors } from '@application/paging/cursor';
import type { EffectRunners } from '@application/projections/effect-runners';
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
import { Shutdown } from '@application/runtime/shutdown';
import type { DomainEvent } from '@domain/kernel/decider';
import { adaptersOver, openEmbeddedEngine, type EmbeddedPorts } from '@engine-embedded/open-embedded-engine';
import type { Engine } from '@ports/engine.port';
import type { ExpectedRevision, Position } from '@ports/event-store.port';
import type { Filter, ReadModels, StoredRow } from '@ports/read-models.port';
import { FakeClock } from './fake-clock.js';
import { FakeEngine } from './fake-engine.js';
import { FakeIds } from './fake-ids.js';
import { hostOf } from './hosting.js';
import { VersionedReadModels, type UsedAt } from './versioned-read-models.js';

Logger.overrideLogger(false);

export const NOTES_PROJECT = 'prj_01J9Z3K8Q4T6V8X0A2C4E6G8J0';

export type NoteEvent =
  | { readonly type: 'NoteWritten'; readonly at: number; readonly projectId: string; readonly text: string }
  | { readonly type: 'NoteAmended'; readonly at: number; readonly text: string }
  | { readonly type: 'NoteThrownAway'; readonly at: number }
  /** The projection throws on this event. */
  | { readonly type: 'NoteCursed'; readonly at: number };

export interface NoteRow {
  readonly text: string;
  readonly amendments: number;
}

/** A minimal read model with creation, change, deletion and a failing event; its ids are of kind customer. */
export const notesProjection: Projection<NoteEvent, NoteRow> = {
  schema: { name: 'notes', version: 1, filterFields: ['text'], dueFields: [] },
  columns: {
    text: { type: 'text', meaning: 'What it says.' },
    amendments: { type: 'integer', meaning: 'How often it was amended.' },
  },
  idKind: 'customer',
  categories: ['note'],
  rowIds: ({ stream }) => [stream.slice('note-'.length)],
  begins: ({ event }) => event.type === 'NoteWritten',
  project(before, { event }) {
    switch (event.type) {
      case 'NoteWritten':
        return { projectId: event.projectId, createdAt: event.at, deleted: false, row: { text: event.text, amendments: 0 } };
      case 'NoteAmended':
        return before && { ...before, row: { text: event.text, amendments: before.row.amendments + 1 } };
      case 'NoteThrownAway':
        return before && { ...before, deleted: true };
      case 'NoteCursed':
        throw new Error('cursed');
    }
  },
};

/** Notes in a real engine and the host that projects them, with a fake clock. */
export class NotesWorld {
  readonly shutdown = new Shutdown();
  readonly projections: ProjectionRunners;
  readonly effects: EffectRunners;
  readonly host: ProjectionsHost;
  readonly pages: RowPages;
  readonly lists: ListPageHandler;
  readonly rows: GetRowHandler;
  private readonly fresh: FreshRows;
  private readonly revisions = new Map<string, ExpectedRevision>();

  private constructor(
    readonly directory: string,
    readonly ports: Omit<EmbeddedPorts, 'engine' | 'readModels'> & { readonly engine: Engine; readonly readModels: ReadModels },
    readonly clock: FakeClock,
    readonly ids: FakeIds,
    hosted: Partial<HostRegistry>,
  ) {
    const { events, readModels } = ports;
    const flushRequests = new FlushRequests();
    const surroundings = { ports, clock, ids, shutdown: this.shutdown, flushRequests };
    const { projections, effects, host } = hostOf(surroundings, { projections: [notesProjection], ...hosted });
    this.projections = projections;
    this.effects = effects;
    this.host = host;
    const fresh = (this.fresh = new FreshRows(events, readModels, flushRequests));
    const lists = new PagedLists(new Cursors(new NodeCryptoSecrets(Buffer.alloc(32, 7))));
    this.pages = new RowPages(events, fresh, lists);
    this.lists = new ListPageHandler(readModels, this.pages);
    this.rows = new GetRowHandler(fresh);
  }

  static async open(
    hosted: Partial<HostRegistry> = {},
    directory = mkdtempSync(join(tmpdir(), 'notes-')),
    clock = new FakeClock(),
    seed = 1,
  ): Promise<NotesWorld> {
    const ports = await openEmbeddedEngine(directory, clock);
    await ports.readModels.define(notesProjection.schema);
    return new NotesWorld(directory, ports, clock, new FakeIds(clock, seed), hosted);
  }

  /** Processes of programs that host this, on one engine that they share. The last one to be closed is the engine. */
  static async sharing(programs: readonly Partial<HostRegistry>[]) {
    const directory = mkdtempSync(join(tmpdir(), 'notes-'));
    const [clock, engine] = [new FakeClock(), new FakeEngine()];
    const ports = await openEmbeddedEngine(directory, clock);
    const usedAt: UsedAt = new Map();
    const worlds = programs.map((hosted, index) => {
      const adapters = adaptersOver(ports.store);
      const readModels = new VersionedReadModels(adapters.readModels, () => clock.now(), usedAt);
      const own = { ...ports, ...adapters, readModels, engine };
      return new NotesWorld(directory, own, clock, new FakeIds(clock, index + 1), hosted);
    });
    const close = async () => {
      for (const world of worlds) await world.stop();
      await ports.engine.close();
      rmSync(directory, { recursive: true, force: true });
    };
    return { worlds, clock, close };
  }

  /** Opens a world and starts its host. */
  static async hosting(hosted: Partial<HostRegistry> = {}): Promise<NotesWorld> {
    const world = await NotesWorld.open(hosted);
    await world.host.onApplicationBootstrap();
    return world;
  }

  /** Ends this process and opens a new one over the same data. */
  async reopened(hosted: Partial<HostRegistry> = {}): Promise<NotesWorld> {
    await this.stop();
    this.clock.set(this.clock.now() + 1);
    return NotesWorld.open(hosted, this.directory, this.clock, this.revisions.size + 1_000);
  }

  async close(): Promise<void> {
    await this.stop();
    rmSync(this.directory, { recursive: true, force: true });
  }

  async write(text: string, projectId = NOTES_PROJECT): Promise<string> {
    const id = this.ids.next('customer');
    await this.append(id, { type: 'NoteWritten', at: this.clock.now(), projectId, text });
    return id;
  }

  async append(id: string, ...events: readonly (NoteEvent | DomainEvent)[]): Promise<Position> {
    const batch = events.map((event) => ({ id: this.ids.uuid(), event }));
    const stream = `note-${id}`;
    const { revision, position } = await this.ports.events.append(stream, batch, this.revisions.get(stream) ?? 'none');
    this.revisions.set(stream, revision);
    return position;
  }

  amend(id: string, text: string): Promise<Position> {
    return this.append(id, { type: 'NoteAmended', at: this.clock.now(), text });
  }

  throwAway(id: string): Promise<Position> {
    return this.append(id, { type: 'NoteThrownAway', at: this.clock.now() });
  }

  /** Writes forty notes; some are amended, deleted or cursed, or written while the clock goes back. */
  async notesOfEveryKind(): Promise<void> {
    const ids = [];
    for (let number = 0; number < 40; number++) ids.push(await this.write(`note ${number}`));
    for (const [index, id] of ids.entries()) {
      if (index % 2 === 0) await this.amend(id, `again ${index}`);
      if (index % 3 === 0) await this.throwAway(id);
      if (index % 7 === 0) await this.append(id, { type: 'NoteCursed', at: this.clock.now() });
      if (index % 14 === 0) await this.amend(id, `after the curse ${index}`);
      if (index % 5 === 0) this.clock.set(this.clock.now() - 500);
    }
  }

  list(request: Partial<PageRequest> = {}, filter: Filter = [], projectId = NOTES_PROJECT): Promise<Page<StoredRow<NoteRow>>> {
    const page = { limit: 20, order: 'desc', startingAfter: null, endingBefore: null, ...request } as const;
    const query = new ListPage(notesProjection, projectId, filter, page);
    return this.lists.execute(query as unknown as ListPage<object>) as Promise<Page<StoredRow<NoteRow>>>;
  }

  /** All rows of a project including deleted ones, in list order. */
  async dump(projectId = NOTES_PROJECT): Promise<readonly StoredRow[]> {
    const query = { projectId, filter: [], order: 'asc', limit: 100_000, includeDeleted: true } as const;
    return this.ports.readModels.page('notes', query);
  }

  /** Resolves once every note written so far is projected. */
  async projected(): Promise<void> {
    await this.fresh.caughtUp(notesProjection);
  }

  /** Ends this process. */
  async stop(): Promise<void> {
    this.shutdown.begin();
    await this.host.beforeApplicationShutdown();
    await this.ports.engine.close();
  }
}
