import { Injectable } from '@nestjs/common';
import { Engine } from '@ports/engine.port';
import type { Sweeper } from '../sweepers/sweeper.js';
import type { DeliveryPointer } from './delivery-pointer.js';
import { DeliveryTopics } from './delivery-topics.js';
import { DueDeliveries } from './due-deliveries.js';
import { EndpointShares } from './endpoint-shares.js';

const EVERY_MS = 10_000;
const BATCH = 5_000;

/**
 * Publishes again what its pointer was lost of: what is overdue, and what was claimed by somebody who is gone.
 * With it every topic is expendable. The first sweep of a process takes whatever is due.
 */
@Injectable()
export class OverdueSweeper implements Sweeper {
  readonly name = 'deliveries';
  readonly everyMs = EVERY_MS;
  private first = true;

  constructor(
    private readonly found: DueDeliveries,
    private readonly topics: DeliveryTopics,
    private readonly shares: EndpointShares,
    private readonly engine: Engine,
  ) {}

  async sweep(now: number): Promise<void> {
    const overdue = await this.found.by(this.first ? 'wakeAt' : 'lostAt', now, BATCH);
    const orphaned = await this.found.by('claimedAt', this.engine.leasesVoidBefore - 1, BATCH);
    const lost = new Map([...overdue, ...orphaned].map((pointer) => [pointer.deliveryId, pointer]));
    await this.topics.publish([...lost.values()].filter((pointer) => !this.isInHand(pointer)).map(dueNow));
    this.first = false;
  }

  private isInHand({ deliveryId }: DeliveryPointer): boolean {
    return this.shares.knows(deliveryId);
  }
}

function dueNow(pointer: DeliveryPointer): DeliveryPointer {
  return { ...pointer, dueAt: 0 };
}
