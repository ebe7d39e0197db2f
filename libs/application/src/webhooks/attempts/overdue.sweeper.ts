import { Injectable } from '@nestjs/common';
import { SKEW_MS } from '@domain/kernel/skew';
import { Clock } from '@ports/clock.port';
import { EVER } from '@ports/engine.port';
import type { DueKey } from '@ports/read-models.port';
import { Settings } from '@ports/settings.port';
import type { Sweeper } from '../../runtime/sweeper.js';
import { dueNow, lineOf, type DeliveryPointer } from '../delivery-pointer.js';
import { DeliveryTopics } from '../delivery-topics.js';
import { DueDeliveries, type DuePointers } from '../due-deliveries.js';

const EVERY_MS = 1_000;
const PAGE = 1_000;
const MAX_PAGES = 2;
/** The consumer looks up the rest once these are made. */
const MAX_PER_ENDPOINT = 1_000;
const AHEAD_AGAIN_MS = 60_000;

/** Of an endpoint's live deliveries, or of its bulk ones. */
interface EndpointPass {
  overdue: number;
  announced: boolean;
}

/**
 * Republishes lost pointers, so that losing a topic loses no delivery. The consumer may be another process: a pointer published
 * within the last ten seconds is not repeated. A new process pages through everything due until the rows are complete; later
 * sweeps read a few pages and continue from there, so that a large backlog hides nothing. Also republishes what waits since a
 * future time (the clock was set back): its claim restarts the wait.
 */
@Injectable()
export class OverdueSweeper implements Sweeper {
  readonly name = 'deliveries';
  readonly everyMs = EVERY_MS;
  private first = true;
  /** Whether the rows were complete when the first pass over everything due began. */
  private sure = false;
  private from: DueKey | null = null;
  private pass = new Map<string, EndpointPass>();
  /** By delivery whose wait began at a future time, because the clock was set back: when its pointer was published. */
  private ahead = new Map<string, number>();

  constructor(
    private readonly found: DueDeliveries,
    private readonly topics: DeliveryTopics,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  async sweep(now: number, signal: AbortSignal): Promise<void> {
    if (this.settings.webhookDelivery === 'hold') return;
    const isCertain = await (this.first ? this.found.areFresh() : this.found.areFreshAtLast(signal));
    await this.publishAhead(now, signal);
    if (this.first && !this.sure) [this.from, this.sure] = [null, isCertain];
    for (let page = 0; (this.first || page < MAX_PAGES) && !signal.aborted; page++) {
      if (this.from === null) this.pass = new Map();
      const { pointers, next } = await this.found.dueBy(this.first ? 'wakeAt' : 'lostAt', now, PAGE, this.from);
      await this.topics.publish(pointers.flatMap((pointer) => this.chosen(pointer)));
      this.from = next;
      if (next) continue;
      this.first &&= !this.sure;
      return;
    }
  }

  /** Deliveries whose wait began at a future time: their pointers may be held for as long as the clock was set back. */
  private async publishAhead(now: number, signal: AbortSignal): Promise<void> {
    const [elapsed, ahead] = [this.clock.elapsed(), new Map<string, number>()];
    for (let after: DueKey | null = { value: now + SKEW_MS + 1, id: '' }; after && !signal.aborted;) {
      const { pointers, next }: DuePointers = await this.found.dueBy('waitsSince', EVER, PAGE, after);
      const lost = pointers.filter(({ deliveryId }) => elapsed - (this.ahead.get(deliveryId) ?? -Infinity) >= AHEAD_AGAIN_MS);
      await this.topics.publish(lost.map(dueNow));
      for (const { deliveryId } of pointers) ahead.set(deliveryId, this.ahead.get(deliveryId) ?? elapsed);
      for (const { deliveryId } of lost) ahead.set(deliveryId, elapsed);
      after = next;
    }
    this.ahead = ahead;
  }

  private chosen(pointer: DeliveryPointer): readonly DeliveryPointer[] {
    const line = lineOf(pointer);
    const endpoint = this.pass.get(line) ?? { overdue: 0, announced: false };
    this.pass.set(line, endpoint);
    endpoint.overdue += 1;
    if (endpoint.announced || this.topics.isTravelling(pointer)) return [];
    endpoint.announced = endpoint.overdue >= MAX_PER_ENDPOINT;
    return [endpoint.announced ? { ...dueNow(pointer), more: true } : dueNow(pointer)];
  }
}
