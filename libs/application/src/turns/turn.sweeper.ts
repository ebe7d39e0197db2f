import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '@ports/clock.port';
import { nameOf } from '@ports/failure';
import { ReadModels } from '@ports/read-models.port';
import { Settings } from '@ports/settings.port';
import { conversationsProjection, type ConversationRow } from '../conversations/conversations.projection.js';
import type { Sweeper } from '../sweepers/sweeper.js';
import { TurnAttachment } from './turn-attachment.js';

const EVERY_MS = 2_000;
const AT_ONCE = 16;

/** Asks again for turns whose process died before the reply, without anybody asking for it. */
@Injectable()
export class TurnSweeper implements Sweeper {
  readonly name = 'turns';
  readonly everyMs = EVERY_MS;
  private readonly logger = new Logger(TurnSweeper.name);
  private readonly underWay = new Set<string>();

  constructor(
    private readonly readModels: ReadModels,
    private readonly attachment: TurnAttachment,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  async sweep(): Promise<void> {
    const before = this.attachment.abandonedBefore();
    const rows = await this.readModels.due(conversationsProjection.schema.name, 'openTurnSince', before - 1, AT_ONCE);
    for (const { id, row } of rows) {
      const { turns } = row as ConversationRow;
      turns.filter(({ openedAt }) => openedAt < before).forEach(({ messageId }) => this.recover(id, messageId));
    }
  }

  private recover(conversationId: string, messageId: string): void {
    if (this.underWay.has(messageId) || this.underWay.size >= AT_ONCE) return;
    this.underWay.add(messageId);
    const windowEndsAt = this.clock.now() + this.settings.replyWindowMs;
    this.attachment
      .outcome(conversationId, messageId, windowEndsAt)
      .catch((error: unknown) => this.logger.error(`an open turn of ${conversationId} could not be taken up: ${nameOf(error)}`))
      .finally(() => this.underWay.delete(messageId));
  }
}
