import { SystemClock } from '@adapters/clock.system';
import type { Clock } from '@ports/clock.port';
import type { Config } from '@platform/config/config';
import { Folding } from './folder/folding.js';
import { WorkbenchFolder } from './folder/workbench-folder.js';
import { openCluster } from './log/cluster.module.js';
import type { EventLog } from './log/event-log.js';
import { HttpLog } from './log/http-log.js';
import { StoredLog } from './log/stored-log.js';
import type { Output } from './output/output.js';
import { AdminSession } from './service/admin-session.js';
import { HttpLiveRows } from './verify/http-live-rows.js';
import type { LiveRows } from './verify/live-rows.js';
import { StoredLiveRows } from './verify/stored-live-rows.js';

export interface Places {
  readonly url: string;
  readonly folder: string;
  /** The cluster whose stores are read; null to ask the service. */
  readonly direct: Config | null;
  readonly password: string | null;
}

interface Source {
  readonly log: EventLog;
  readonly live: LiveRows;
}

/** What commands work with. Each part is opened when it is asked for first. */
export class Workbench {
  readonly clock: Clock = new SystemClock();
  private readonly closing: (() => Promise<void>)[] = [];
  private opened: { session?: Promise<AdminSession>; source?: Promise<Source>; folder?: Promise<WorkbenchFolder> } = {};

  constructor(
    private readonly places: Places,
    readonly output: Output,
    readonly signal: AbortSignal,
  ) {}

  session(): Promise<AdminSession> {
    return (this.opened.session ??= this.beginSession());
  }

  source(): Promise<Source> {
    return (this.opened.source ??= this.openSource());
  }

  folder(): Promise<WorkbenchFolder> {
    return (this.opened.folder ??= this.openFolder());
  }

  async folding(): Promise<Folding> {
    const { log } = await this.source();
    return new Folding(await this.folder(), log, this.output.progress(this.clock), this.clock, this.signal);
  }

  /** In the order opposite to that of opening. */
  async close(): Promise<void> {
    for (const close of this.closing.toReversed()) await close();
  }

  private async beginSession(): Promise<AdminSession> {
    const { url, password } = this.places;
    if (!password) throw new Error('Set ADMIN_PASSWORD to the admin password.');
    const session = await AdminSession.begin(url, password, this.clock);
    this.closing.push(() => session.end());
    return session;
  }

  private async openSource(): Promise<Source> {
    const { direct } = this.places;
    if (!direct) {
      const session = await this.session();
      return { log: new HttpLog(session), live: new HttpLiveRows(session) };
    }
    const cluster = await openCluster(direct, this.clock);
    this.closing.push(() => cluster.close());
    return { log: new StoredLog(cluster.events), live: new StoredLiveRows(cluster.readModels) };
  }

  private async openFolder(): Promise<WorkbenchFolder> {
    const { log } = await this.source();
    const folder = await WorkbenchFolder.open(this.places.folder, log, this.clock);
    this.closing.push(() => folder.close());
    return folder;
  }
}
