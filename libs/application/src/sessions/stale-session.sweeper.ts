import { Injectable } from '@nestjs/common';
import type { Envelope } from '@domain/kernel/envelope';
import { ReadModels } from '@ports/read-models.port';
import { dueIds, workThrough } from '../read-models/work-through.js';
import { TrustedTime } from '../runtime/log-time.js';
import type { Sweeper } from '../runtime/sweeper.js';
import { SessionDirectory } from './session-directory.js';
import { sessionsProjection, type SessionRow } from './sessions.projection.js';

const EVERY_MS = 60_000;
const DUE = [sessionsProjection.schema.name, 'staleAt' satisfies keyof SessionRow] as const;

@Injectable()
export class StaleSessionSweeper implements Sweeper {
  readonly name = 'sessions';
  readonly everyMs = EVERY_MS;

  constructor(
    private readonly readModels: ReadModels,
    private readonly sessions: SessionDirectory,
    private readonly time: TrustedTime,
  ) {}

  async sweep(_: number, signal: AbortSignal, round: Envelope): Promise<void> {
    const due = dueIds(this.readModels, DUE, this.time.now());
    const failures = await workThrough(due, (id) => this.sessions.closeStale(id, round), signal);
    if (failures.length > 0) throw failures[0];
  }
}
