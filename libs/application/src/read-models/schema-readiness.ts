import { Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { pause, type Clock } from '@ports/clock.port';
import { isLoggedByEngine } from '@ports/event-store.port';
import { failureReason } from '@ports/failure';
import type { ReadModels } from '@ports/read-models.port';
import { LogThrottle } from '../runtime/log-throttle.js';
import type { Projection } from './projection.js';

const NOTED_EVERY_MS = 60_000;

/** Tells the read models by which schemas this process reads, and that it does, for as long as it runs. */
export class SchemaReadiness implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger('read models');
  private readonly throttle: LogThrottle;
  private readonly end = new AbortController();
  private noting: Promise<void> = Promise.resolve();
  private wasComplete = false;

  constructor(
    private readonly readModels: ReadModels,
    private readonly projections: readonly Projection[],
    private readonly clock: Clock,
  ) {
    this.throttle = new LogThrottle(clock);
  }

  /** Never rejects: the expectation holds even if the store does not answer. */
  async onApplicationBootstrap(): Promise<void> {
    await this.guarded(() => Promise.all(this.projections.map(({ schema }) => this.readModels.expect(schema))));
    this.noting = this.noteUse();
  }

  async onApplicationShutdown(): Promise<void> {
    this.end.abort();
    await this.noting;
  }

  /**
   * Collections whose rows of this version are not complete, while there are rows of another version that other processes can serve.
   * Empty for good once there was none.
   */
  async missing(): Promise<readonly string[]> {
    if (this.wasComplete) return [];
    const stored = await this.readModels.stored();
    const missing = this.projections.flatMap(({ schema: { name, version } }) => {
      const versions = stored.filter((each) => each.name === name);
      const isThere = versions.some((each) => each.version === version && each.isRestored);
      return isThere || versions.every((each) => each.version === version) ? [] : [name];
    });
    this.wasComplete = missing.length === 0;
    return missing;
  }

  private async noteUse(): Promise<void> {
    while (!this.end.signal.aborted) {
      await this.guarded(() => this.readModels.noteUse());
      await pause(this.clock, NOTED_EVERY_MS, this.end.signal);
    }
  }

  private async guarded(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!isLoggedByEngine(error) && this.throttle.shouldLog(error))
        this.log.warn(`the rows cannot be asked for by their schemas: ${failureReason(error)}`);
    }
  }
}
