import { Injectable } from '@nestjs/common';
import { idledOutSince } from '@domain/conversation/conversation';
import type { Envelope } from '@domain/kernel/envelope';
import { ReadModels } from '@ports/read-models.port';
import { Settings } from '@ports/settings.port';
import { dueIds, workThrough } from '../read-models/work-through.js';
import type { Sweeper } from '../runtime/sweeper.js';
import { conversationsProjection, type ConversationRow } from './state/conversations.projection.js';
import { Threads } from './threads.js';

const EVERY_MS = 10_000;
const DUE = [conversationsProjection.schema.name, 'idleSince' satisfies keyof ConversationRow] as const;

/** Stores due idle ends. Readers see them without it. */
@Injectable()
export class IdleSweeper implements Sweeper {
  readonly name = 'idle';
  readonly everyMs = EVERY_MS;

  constructor(
    private readonly readModels: ReadModels,
    private readonly threads: Threads,
    private readonly settings: Settings,
  ) {}

  async sweep(now: number, signal: AbortSignal, round: Envelope): Promise<void> {
    const upTo = idledOutSince(now, this.settings.conversationIdleMs);
    const failures = await workThrough(dueIds(this.readModels, DUE, upTo), (id) => this.threads.endIdle(id, round), signal);
    if (failures.length > 0) throw failures[0];
  }
}
