import { Injectable, Logger } from '@nestjs/common';
import type { Turn, Turns } from '@domain/conversation/conversation';
import { DomainError } from '@domain/kernel/domain-error';
import type { Envelope } from '@domain/kernel/envelope';
import { inTime } from '@kit/time';
import { Clock } from '@ports/clock.port';
import { isLoggedByEngine } from '@ports/event-store.port';
import { nameOf } from '@ports/failure';
import { ReadModels, type DueKey } from '@ports/read-models.port';
import { Settings } from '@ports/settings.port';
import { duePage, type DuePage } from '../../read-models/due-page.js';
import { FreshRows } from '../../read-models/fresh-rows.js';
import type { Sweeper } from '../../runtime/sweeper.js';
import { conversationsProjection, type ConversationRow } from '../state/conversations.projection.js';
import { TurnOutcomes } from './turn-outcomes.js';

const EVERY_MS = 2_000;
const AT_ONCE = 16;
const PAGE = 100;
const DUE = [conversationsProjection.schema.name, 'openTurnSince'] as const;

/** Repeats turns that lost their process or store before the reply, even if no client asks for it. */
@Injectable()
export class TurnSweeper implements Sweeper {
  readonly name = 'turns';
  readonly everyMs = EVERY_MS;
  private readonly logger = new Logger(TurnSweeper.name);
  private readonly underWay = new Set<string>();
  private tookOver = false;

  constructor(
    private readonly readModels: ReadModels,
    private readonly fresh: FreshRows,
    private readonly outcomes: TurnOutcomes,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  async sweep(_now: number, _signal: AbortSignal, round: Envelope): Promise<void> {
    // A gateway may start before the process that defines the rows.
    if ((await this.readModels.expect(conversationsProjection.schema)) !== 'same') return;
    const isCertain = this.tookOver || (await this.fresh.caughtUp(conversationsProjection));
    const before = this.tookOver ? this.outcomes.longAgo() : this.outcomes.abandonedBefore();
    // A recent turn too may have lost its process or its store.
    const upTo = Math.max(before, this.clock.now());
    let isAll = isCertain;
    let after: DueKey | null = null;
    do {
      const page: DuePage<ConversationRow> = await duePage(this.readModels, DUE, upTo, PAGE, after);
      const gone = await this.outcomes.goneOwners(page.rows.flatMap(({ row }) => row.turns));
      const isLeft = ({ openedAt, owner }: Turn) => openedAt < before || (owner !== undefined && gone.has(owner));
      for (const { id, row } of page.rows) isAll = this.recoverAll(id, row.turns.filter(isLeft), round) && isAll;
      after = page.next;
    } while (after && this.underWay.size < AT_ONCE);
    this.tookOver = isAll && this.underWay.size < AT_ONCE;
  }

  /** False where a turn has to wait for a later sweep. */
  private recoverAll(conversationId: string, turns: Turns, round: Envelope): boolean {
    const left = turns.filter(({ messageId }) => !this.outcomes.runsHere(messageId));
    if (left.length === 0) return true;
    if (this.underWay.has(conversationId) || this.underWay.size >= AT_ONCE) return false;
    this.underWay.add(conversationId);
    void this.inTurn(conversationId, left, round).finally(() => this.underWay.delete(conversationId));
    return true;
  }

  /** In the order of the messages; a turn that outlasts its window does not delay the next. */
  private async inTurn(conversationId: string, left: Turns, round: Envelope): Promise<void> {
    const outcomes: Promise<void>[] = [];
    for (const { messageId } of left) {
      const outcome = this.recover(conversationId, messageId, round);
      outcomes.push(outcome);
      await inTime(this.clock, this.settings.replyWindowMs, outcome);
    }
    await Promise.all(outcomes);
  }

  private async recover(conversationId: string, messageId: string, envelope: Envelope): Promise<void> {
    try {
      await this.outcomes.outcome(conversationId, messageId, envelope, null);
    } catch (error) {
      // The conversation was handed off or ended: the agent no longer replies.
      if (error instanceof DomainError || isLoggedByEngine(error)) return;
      this.logger.error(`an open turn of ${conversationId} could not be taken up: ${nameOf(error)}`);
    }
  }
}
