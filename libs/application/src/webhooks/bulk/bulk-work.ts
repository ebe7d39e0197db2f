import { Injectable } from '@nestjs/common';
import { DomainError } from '@domain/kernel/domain-error';
import { Clock } from '@ports/clock.port';
import type { RunningTask, TaskStep } from '../../tasks/task-kind.js';
import { FreshRows } from '../../read-models/fresh-rows.js';
import { deliveriesProjection } from '../deliveries.projection.js';
import { eventsProjection } from '../fan-out/events.projection.js';
import { BulkAllowance } from './bulk-allowance.js';
import { NOTHING, type BulkItem, type BulkPlan } from './bulk-plan.js';
import { BulkWalk } from './bulk-walk.js';

/** Counts what a task comes to, then works through it. */
@Injectable()
export class BulkWork {
  constructor(
    private readonly allowance: BulkAllowance,
    private readonly fresh: FreshRows,
    private readonly clock: Clock,
  ) {}

  async *steps<Item extends BulkItem>(task: RunningTask, plan: BulkPlan<Item>, signal: AbortSignal): AsyncGenerator<TaskStep> {
    await this.mustBeFresh();
    if (task.progress.total === null) yield* plan.counting ?? this.count(task, plan.items, signal);
    yield* new BulkWalk(task, plan, { allowance: this.allowance, clock: this.clock }, signal).steps();
  }

  /** Rejects where the rows of deliveries or events are late. */
  private async mustBeFresh(): Promise<void> {
    const areFresh = await Promise.all([deliveriesProjection, eventsProjection].map((each) => this.fresh.caughtUp(each)));
    if (areFresh.includes(false)) throw new DomainError('service_unavailable', 'The rows of deliveries are late.');
  }

  /** How many there are to look at: a moment's count, as others come and go meanwhile. */
  private async *count<Item extends BulkItem>(
    { cursor }: RunningTask,
    items: BulkPlan<Item>['items'],
    signal: AbortSignal,
  ): AsyncGenerator<TaskStep> {
    let total = 0;
    for await (const page of items(null)) {
      total += page.length;
      if (signal.aborted) return;
      yield { ...NOTHING, cursor };
    }
    yield { ...NOTHING, cursor, total };
  }
}
