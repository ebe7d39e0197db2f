import { Injectable } from '@nestjs/common';
import { Engine } from '@ports/engine.port';
import type { DueKey } from '@ports/read-models.port';
import type { Sweeper } from '../../runtime/sweeper.js';
import type { DeliveryPointer } from '../delivery-pointer.js';
import { DeliveryTopics } from '../delivery-topics.js';
import { DueDeliveries, type DuePointers } from '../due-deliveries.js';
import { AttemptScheduler } from './attempt-scheduler.js';

const EVERY_MS = 10_000;
const PAGE = 1_000;
const MOST_PAGES = 20;
/** The rest is looked up once these are made. */
const MOST_PER_ENDPOINT = 1_000;
const NONE: ReadonlySet<string> = new Set();

/**
 * Publishes again what its pointer was lost of: what is overdue, and what was claimed by somebody who is gone.
 * With it every topic is expendable. A process looks at whatever is due until rows show all of it, which may take more than
 * one sweep where they are projected anew; from then on at so much of what is overdue, each time where it stopped, so that a
 * large backlog hides nothing behind it for ever.
 */
@Injectable()
export class OverdueSweeper implements Sweeper {
  readonly name = 'deliveries';
  readonly everyMs = EVERY_MS;
  /** Whether all that dead processes had claimed is taken over. */
  private tookOver = false;
  private first = true;
  /** Whether rows showed all of what is due when the first sweep began. */
  private sure = false;
  private from: DueKey | null = null;

  constructor(
    private readonly found: DueDeliveries,
    private readonly topics: DeliveryTopics,
    private readonly scheduler: AttemptScheduler,
    private readonly engine: Engine,
  ) {}

  async sweep(now: number, signal: AbortSignal): Promise<void> {
    const isCertain = await (this.tookOver && !this.first ? this.found.areFreshAtLast(signal) : this.found.areFresh());
    const told = this.tookOver ? NONE : await this.takeOver(isCertain);
    if (this.first && !this.sure) [this.from, this.sure] = [null, isCertain];
    const counts = new Map<string, number>();
    for (let page = 0; (this.first || page < MOST_PAGES) && !signal.aborted; page++) {
      const { pointers, next } = await this.found.dueBy(this.first ? 'wakeAt' : 'lostAt', now, PAGE, this.from);
      const lost = pointers.filter((pointer) => !told.has(pointer.deliveryId) && this.isOfUse(pointer, counts));
      await this.topics.publish(lost.map(dueNow));
      this.from = next;
      if (next) continue;
      this.first &&= !this.sure;
      return;
    }
  }

  /** Of what is claimed, all is orphaned that is not in hand here. None is left once fresh rows show none. */
  private async takeOver(isCertain: boolean): Promise<ReadonlySet<string>> {
    const told = new Set<string>();
    let after: DueKey | null = null;
    do {
      const { pointers, next }: DuePointers = await this.found.dueBy('claimedAt', this.engine.leasesVoidBefore - 1, PAGE, after);
      const orphaned = pointers.filter(({ deliveryId }) => !this.scheduler.knows(deliveryId));
      await this.topics.publish(orphaned.map(dueNow));
      for (const { deliveryId } of orphaned) told.add(deliveryId);
      after = next;
    } while (after);
    this.tookOver = isCertain && told.size === 0;
    return told;
  }

  private isOfUse(pointer: DeliveryPointer, counts: Map<string, number>): boolean {
    if (this.scheduler.holds(pointer)) return false;
    const count = (counts.get(pointer.endpointId) ?? 0) + 1;
    counts.set(pointer.endpointId, count);
    if (count === MOST_PER_ENDPOINT) this.scheduler.expectMore(pointer.endpointId);
    return count <= MOST_PER_ENDPOINT;
  }
}

function dueNow(pointer: DeliveryPointer): DeliveryPointer {
  return { ...pointer, dueAt: 0 };
}
