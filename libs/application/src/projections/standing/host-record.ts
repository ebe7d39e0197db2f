import { Injectable } from '@nestjs/common';
import { Clock } from '@ports/clock.port';
import { ExpiringRecords, type ExpiringRecord } from '@ports/expiring-records.port';
import { InstanceRegistry } from '../../instances/instance-registry.js';
import type { Column } from '../../read-models/columns.js';

const RECORD = 'projections';
/** Columns do not change while a process lives, and are longer than the rest. */
const COLUMNS_RECORDS = { host: 'projection-columns', beside: 'projection-columns-beside' } as const;
const KEPT_MS = 30 * 24 * 3_600_000;

/** The process that runs the projections, or ran them last. */
export interface HostingProcess {
  /** As in the registry of instances. */
  readonly id: string;
  readonly app: string;
  /** Epoch milliseconds. */
  readonly since: number;
}

/** What that process says of a projection. */
export interface HostedProjection {
  readonly name: string;
  readonly version: number;
  readonly lastProgressAt: number;
  readonly skipped: number;
  /** Since its start. */
  readonly restarts: number;
}

/** By the name of their projection. */
export type ColumnsByName = Readonly<Record<string, readonly Column[]>>;

export interface Hosted {
  readonly process: HostingProcess;
  /** As in the lease. */
  readonly holder: string;
  readonly projections: readonly HostedProjection[];
}

/** `host` runs everything; `beside` it, while a release replaces another, a process runs projections in versions that it does not know. */
export type HostRole = 'host' | 'beside';

export type HostsByRole = Readonly<Partial<Record<HostRole, Hosted>>>;

/** Lets every process tell which projections there are, and who runs them. */
@Injectable()
export class HostRecord {
  private readonly written = new Map<HostRole, string>();

  constructor(
    private readonly records: ExpiringRecords,
    private readonly clock: Clock,
    private readonly instances: InstanceRegistry,
  ) {}

  /** Without a host before the first process has run them. */
  async read(): Promise<HostsByRole> {
    const found = await this.records.get(RECORD);
    return found ? (JSON.parse(found.value) as HostsByRole) : {};
  }

  /** Whether that process lives. */
  lives({ id }: HostingProcess): Promise<boolean> {
    return this.instances.lives(id);
  }

  /** Those of the host. */
  async projections(): Promise<readonly HostedProjection[]> {
    return (await this.read()).host?.projections ?? [];
  }

  /** Undefined: no process has this role. Does nothing where this process wrote the same before, or another has just written. */
  async write(role: HostRole, hosted: Hosted | undefined): Promise<void> {
    const own = JSON.stringify(hosted) ?? '';
    if (own === this.written.get(role)) return;
    const found = await this.records.get(RECORD);
    const text = JSON.stringify({ ...(found && (JSON.parse(found.value) as HostsByRole)), [role]: hosted });
    if (await this.put(RECORD, text, found)) this.written.set(role, own);
  }

  /** The columns that the last process with this role has published of its projections. */
  async columns(role: HostRole): Promise<ColumnsByName> {
    const found = await this.records.get(COLUMNS_RECORDS[role]);
    return found ? (JSON.parse(found.value) as ColumnsByName) : {};
  }

  /** Whether it was written: another process may write at the same moment. */
  async describe(role: HostRole, columns: ColumnsByName): Promise<boolean> {
    const key = COLUMNS_RECORDS[role];
    return this.put(key, JSON.stringify(columns), await this.records.get(key));
  }

  private async put(key: string, text: string, found: ExpiringRecord | null): Promise<boolean> {
    const until = this.clock.now() + KEPT_MS;
    if (found) return (await this.records.replace(key, found.version, text, until)) !== null;
    return (await this.records.create(key, text, until)).created;
  }
}
