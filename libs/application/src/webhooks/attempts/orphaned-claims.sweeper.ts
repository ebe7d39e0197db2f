import { Injectable } from '@nestjs/common';
import { Engine, EVER } from '@ports/engine.port';
import type { DueKey } from '@ports/read-models.port';
import { Settings } from '@ports/settings.port';
import type { Sweeper } from '../../runtime/sweeper.js';
import { dueNow } from '../delivery-pointer.js';
import { DeliveryTopics } from '../delivery-topics.js';
import { DueDeliveries, type DuePointers } from '../due-deliveries.js';
import { AttemptScheduler } from './attempt-scheduler.js';

const EVERY_MS = 1_000;
const PAGE = 1_000;

/**
 * Republishes the claims of a dead process, until complete rows show none. Only on a single-process engine: others have leases.
 */
@Injectable()
export class OrphanedClaimsSweeper implements Sweeper {
  readonly name = 'orphaned-claims';
  readonly everyMs = EVERY_MS;
  private isOver = false;

  constructor(
    private readonly found: DueDeliveries,
    private readonly topics: DeliveryTopics,
    private readonly scheduler: AttemptScheduler,
    private readonly engine: Engine,
    private readonly settings: Settings,
  ) {}

  async sweep(_now: number, signal: AbortSignal): Promise<void> {
    if (this.isOver || this.engine.isShared || this.settings.webhookDelivery === 'hold') return;
    const isCertain = await this.found.areFresh();
    let orphans = 0;
    let after: DueKey | null = null;
    do {
      const { pointers, next }: DuePointers = await this.found.dueBy('claimedAt', EVER, PAGE, after);
      const orphaned = pointers.filter((pointer) => !this.scheduler.knows(pointer));
      await this.topics.publish(orphaned.filter((pointer) => !this.topics.isTravelling(pointer)).map(dueNow));
      orphans += orphaned.length;
      after = next;
    } while (after && !signal.aborted);
    this.isOver = isCertain && orphans === 0 && !signal.aborted;
  }
}
