import { pause, type Clock } from '@ports/clock.port';
import { paceOf, type RunningTask, type TaskStep } from '../../tasks/task-kind.js';
import type { BulkAllowance } from './bulk-allowance.js';
import { BulkPlaces } from './bulk-places.js';
import { BulkProgress } from './bulk-progress.js';
import { NOTHING, type BulkItem, type BulkPlan } from './bulk-plan.js';

const MAX_AT_ONCE = 25;
/** Fresh deliveries are made in this many portions a second, so that they come evenly. */
const PORTIONS = 4;
const LOOKS_AGAIN_MS = 1_000;

interface Surroundings {
  readonly allowance: BulkAllowance;
  readonly clock: Clock;
}

/** Works through the deliveries of a task in portions. While an endpoint has enough waiting, it continues with the others. */
export class BulkWalk<Item extends BulkItem> {
  private readonly places: BulkPlaces;
  private readonly progress: BulkProgress;
  /** How many more each endpoint may get, at least. */
  private readonly room = new Map<string, number>();
  private lookedAt: number;

  constructor(
    private readonly task: RunningTask,
    private readonly plan: BulkPlan<Item>,
    private readonly around: Surroundings,
    private readonly signal: AbortSignal,
  ) {
    this.places = BulkPlaces.in(task.cursor);
    this.progress = new BulkProgress(task, this.places);
    this.lookedAt = around.clock.elapsed();
  }

  async *steps(): AsyncGenerator<TaskStep> {
    for await (const page of this.plan.items(this.places.walked)) {
      for (const portion of this.portionsOf(page)) {
        yield* this.fetchUp();
        yield* this.walk(portion);
        if (this.signal.aborted) return;
      }
    }
    while (this.places.next && !this.signal.aborted) {
      yield* this.fetchUp();
      if (this.places.next) yield* this.rest();
    }
    if (this.task.dryRun) yield { ...NOTHING, cursor: this.places.cursor, details: this.progress.details() };
  }

  private async *walk(portion: readonly Item[]): AsyncGenerator<TaskStep> {
    const { places, plan } = this;
    for (const endpointId of new Set(portion.map((item) => item.endpointId))) {
      if (places.isLeft(endpointId)) continue;
      const { length } = portion.filter((item) => item.endpointId === endpointId);
      while (!(await this.hasRoom(endpointId, length))) {
        if (plan.itemsAt) {
          places.leave(endpointId, places.walked);
          break;
        }
        yield* this.rest();
        if (this.signal.aborted) return;
      }
    }
    const ready = portion.filter(({ endpointId }) => !places.isLeft(endpointId));
    yield* this.work(ready, () => (places.walked = placeBehind(portion)));
  }

  /** Once a second: an endpoint that was left is continued, up to where the others are, as far as it has room. */
  private async *fetchUp(): AsyncGenerator<TaskStep> {
    const { places, plan, around } = this;
    const left = places.next;
    if (!left || !plan.itemsAt || around.clock.elapsed() - this.lookedAt < LOOKS_AGAIN_MS) return;
    this.lookedAt = around.clock.elapsed();
    const [endpointId, from] = left;
    places.leave(endpointId, from);
    for await (const page of plan.itemsAt(endpointId, from)) {
      const missed = page.filter(({ cursor }) => places.hasPassed(cursor));
      for (const portion of this.portionsOf(missed)) {
        if (!(await this.hasRoom(endpointId, portion.length))) return;
        yield* this.work(portion, () => places.leave(endpointId, placeBehind(portion)));
        if (this.signal.aborted) return;
      }
      if (missed.length < page.length) break;
    }
    places.join(endpointId);
  }

  private async *work(items: readonly Item[], moveOn: () => void): AsyncGenerator<TaskStep> {
    const results = await Promise.all(items.map(this.plan.work));
    if (this.signal.aborted) return;
    for (const { fresh } of results) if (fresh?.kind === 'created') this.spend(fresh.endpointId);
    moveOn();
    yield this.progress.stepOf(results);
  }

  private async *rest(): AsyncGenerator<TaskStep> {
    yield { ...NOTHING, cursor: this.places.cursor };
    await pause(this.around.clock, LOOKS_AGAIN_MS, this.signal);
  }

  private async hasRoom(endpointId: string, count: number): Promise<boolean> {
    if (this.task.dryRun || (this.room.get(endpointId) ?? 0) >= count) return true;
    const room = await this.around.allowance.of(this.task.projectId ?? '', endpointId);
    this.room.set(endpointId, room);
    return room >= count;
  }

  private spend(endpointId: string): void {
    this.room.set(endpointId, (this.room.get(endpointId) ?? 0) - 1);
  }

  private *portionsOf(page: readonly Item[]): Generator<readonly Item[]> {
    const pace = this.task.dryRun ? null : paceOf(this.task);
    const size = Math.max(1, Math.min(MAX_AT_ONCE, Math.floor((pace ?? Infinity) / PORTIONS)));
    for (let first = 0; first < page.length; first += size) yield page.slice(first, first + size);
  }
}

function placeBehind(portion: readonly BulkItem[]): string | null {
  return portion.at(-1)?.cursor ?? null;
}
