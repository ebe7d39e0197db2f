import { Injectable } from '@nestjs/common';
import { ReadModels } from '@ports/read-models.port';
import type { Sweeper } from '../sweepers/sweeper.js';
import { SessionDirectory } from './session-directory.js';
import { sessionsProjection } from './sessions.projection.js';

const EVERY_MS = 60_000;
const BATCH = 500;

/** Closes calls that nobody closed. */
@Injectable()
export class StaleSessionSweeper implements Sweeper {
  readonly name = 'sessions';
  readonly everyMs = EVERY_MS;

  constructor(
    private readonly readModels: ReadModels,
    private readonly sessions: SessionDirectory,
  ) {}

  async sweep(now: number): Promise<void> {
    const rows = await this.readModels.due(sessionsProjection.schema.name, 'staleAt', now, BATCH);
    await Promise.all(rows.map(({ id }) => this.sessions.closeStale(id)));
  }
}
