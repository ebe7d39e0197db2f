import { Logger, type OnApplicationBootstrap } from '@nestjs/common';
import type { Clock } from '@ports/clock.port';
import { isLoggedByEngine } from '@ports/event-store.port';
import { failureReason } from '@ports/failure';
import type { ReadModels } from '@ports/read-models.port';
import { LogThrottle } from '../runtime/log-throttle.js';
import type { Projection } from './projection.js';

/** Tells the read models by which schemas this process reads, and finds out whether another program has stored newer ones. */
export class SchemaReadiness implements OnApplicationBootstrap {
  private readonly log = new Logger('read models');
  private readonly throttle: LogThrottle;

  constructor(
    private readonly readModels: ReadModels,
    private readonly projections: readonly Projection[],
    clock: Clock,
  ) {
    this.throttle = new LogThrottle(clock);
  }

  /** Never rejects: what is expected holds even if the store cannot be asked. */
  async onApplicationBootstrap(): Promise<void> {
    try {
      await this.noneIsNewer();
    } catch (error) {
      if (!isLoggedByEngine(error)) this.log.warn(`the schemas of the rows cannot be compared yet: ${failureReason(error)}`);
    }
  }

  /** Whether this program may define every collection. Where one is newer its lists are out of reach here, and the log says so. */
  async noneIsNewer(): Promise<boolean> {
    const compared = await Promise.all(
      this.projections.map(async ({ schema }) => ({ name: schema.name, standing: await this.readModels.expect(schema) })),
    );
    const newer = compared.filter(({ standing }) => standing === 'newer').map(({ name }) => name);
    if (newer.length === 0) return true;
    const reason = new Error(`a newer version of the program has made the rows of ${newer.join(', ')}`);
    if (this.throttle.shouldLog(reason))
      this.log.warn(`${reason.message}: their lists answer 503 here, and no projections run in this process`);
    return false;
  }
}
