import { Injectable, Logger } from '@nestjs/common';
import { pause, Clock } from '@ports/clock.port';
import { failureReason } from '@ports/failure';
import { InstanceRegistry } from '../../instances/instance-registry.js';
import { LogThrottle } from '../../runtime/log-throttle.js';
import { HostRecord, type ColumnsByName, type HostedProjection, type HostRole } from './host-record.js';

const WRITTEN_EVERY_MS = 5_000;
/** Long before the record expires. */
const DESCRIBED_EVERY_MS = 24 * 3_600_000;

/** What is published about a process. */
export interface Noted {
  /** As in the lease. */
  readonly holder: string;
  readonly columns: ColumnsByName;
  readonly hosted: () => readonly HostedProjection[];
}

/** Keeps the record of who runs projections true while this process does. */
@Injectable()
export class HostNotes {
  private readonly log = new Logger('projections');
  private readonly throttle: LogThrottle;

  constructor(
    private readonly record: HostRecord,
    private readonly instances: InstanceRegistry,
    private readonly clock: Clock,
  ) {
    this.throttle = new LogThrottle(clock);
  }

  /** Until the signal aborts. Never rejects. */
  async run(role: HostRole, { holder, columns, hosted }: Noted, signal: AbortSignal): Promise<void> {
    const process = { id: this.instances.id, app: this.instances.role, since: this.clock.now() };
    let describeAt = -Infinity;
    while (!signal.aborted) {
      await this.note(async () => {
        const now = this.clock.elapsed();
        // Before the process is named: a reader that knows the names then finds their columns.
        if (now >= describeAt && (await this.record.describe(role, columns))) describeAt = now + DESCRIBED_EVERY_MS;
        await this.record.write(role, { process, holder, projections: hosted() });
      });
      await pause(this.clock, WRITTEN_EVERY_MS, signal);
    }
    // The last host stays on record; no process runs beside it now.
    if (role === 'beside') await this.note(() => this.record.write(role, undefined));
  }

  private async note(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      if (this.throttle.recovered()) this.log.warn('who runs the projections can be recorded again');
    } catch (error) {
      if (this.throttle.shouldLog(error)) this.log.warn(`who runs the projections is not recorded: ${failureReason(error)}`);
    }
  }
}
