import { Injectable } from '@nestjs/common';
import { Engine } from '@ports/engine.port';
import type { DueKey } from '@ports/read-models.port';
import type { Sweeper } from '../../runtime/sweeper.js';
import { dueNow, type DeliveryPointer } from '../delivery-pointer.js';
import { DeliveryTopics } from '../delivery-topics.js';
import { DueDeliveries, type DuePointers } from '../due-deliveries.js';
import { AttemptScheduler } from './attempt-scheduler.js';

const EVERY_MS = 1_000;
const PAGE = 1_000;
const MOST_PAGES = 2;
/** The endpoint looks up the rest once these are made. */
const MOST_PER_ENDPOINT = 1_000;
const NONE: ReadonlySet<string> = new Set();

/**
 * Publishes new pointers to deliveries whose pointer was lost, so that losing a topic loses no delivery: to those that are
 * overdue, and to those that a dead process had claimed. After its start a process pages through all deliveries that are due
 * until the rows are complete, which may take several sweeps during a rebuild. Later sweeps read a few pages of overdue
 * deliveries each, and the next one continues there, so that a large backlog hides none behind it. A pointer published
 * within the last minute is not published again.
 */
@Injectable()
export class OverdueSweeper implements Sweeper {
  readonly name = 'deliveries';
  readonly everyMs = EVERY_MS;
  /** Whether all claims of dead processes are taken over. */
  private tookOver = false;
  private first = true;
  /** Whether the rows were complete when the first pass over everything due began. */
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
    const published = this.tookOver ? NONE : await this.takeOver(isCertain);
    if (this.first && !this.sure) [this.from, this.sure] = [null, isCertain];
    const counts = new Map<string, number>();
    for (let page = 0; (this.first || page < MOST_PAGES) && !signal.aborted; page++) {
      const { pointers, next } = await this.found.dueBy(this.first ? 'wakeAt' : 'lostAt', now, PAGE, this.from);
      const lost = pointers.filter((pointer) => !published.has(pointer.deliveryId) && this.isOfUse(pointer, counts));
      await this.topics.publish(lost.map(dueNow));
      this.from = next;
      if (next) continue;
      this.first &&= !this.sure;
      return;
    }
  }

  /** Every claim from before this process opened the store, and not known here, is orphaned. None is left once complete rows show none. */
  private async takeOver(isCertain: boolean): Promise<ReadonlySet<string>> {
    const published = new Set<string>();
    let after: DueKey | null = null;
    do {
      const { pointers, next }: DuePointers = await this.found.dueBy('claimedAt', this.engine.leasesVoidBefore - 1, PAGE, after);
      const orphaned = pointers.filter(({ deliveryId }) => !this.scheduler.knows(deliveryId));
      await this.topics.publish(orphaned.filter((pointer) => !this.topics.isTravelling(pointer)).map(dueNow));
      for (const { deliveryId } of orphaned) published.add(deliveryId);
      after = next;
    } while (after);
    this.tookOver = isCertain && published.size === 0;
    return published;
  }

  private isOfUse(pointer: DeliveryPointer, counts: Map<string, number>): boolean {
    if (this.scheduler.holds(pointer) || this.topics.isTravelling(pointer)) return false;
    const count = (counts.get(pointer.endpointId) ?? 0) + 1;
    counts.set(pointer.endpointId, count);
    if (count === MOST_PER_ENDPOINT) this.scheduler.expectMore(pointer.endpointId);
    return count <= MOST_PER_ENDPOINT;
  }
}
