import { Injectable } from '@nestjs/common';
import { Clock } from '@ports/clock.port';
import { ReadModels } from '@ports/read-models.port';
import { Settings } from '@ports/settings.port';
import type { Sweeper } from '../sweepers/sweeper.js';
import { conversationsProjection } from './conversations.projection.js';
import { Threads } from './threads.js';

const EVERY_MS = 10_000;
const BATCH = 500;

/** Stores idle ends that nobody came across. Readers see them without it. */
@Injectable()
export class IdleSweeper implements Sweeper {
  readonly name = 'idle';
  readonly everyMs = EVERY_MS;

  constructor(
    private readonly readModels: ReadModels,
    private readonly threads: Threads,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  async sweep(): Promise<void> {
    const upTo = this.clock.now() - this.settings.conversationIdleMs;
    const rows = await this.readModels.due(conversationsProjection.schema.name, 'idleSince', upTo, BATCH);
    await Promise.all(rows.map(({ id }) => this.threads.endIdle(id)));
  }
}
