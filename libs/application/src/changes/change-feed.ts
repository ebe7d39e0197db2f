import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '@ports/clock.port';
import { EventStore, type FeedBatch, type Position } from '@ports/event-store.port';
import { LinkedAbort } from '../runtime/linked-abort.js';
import { Restarts } from '../runtime/restarts.js';
import { changedResources, SHOWN_CATEGORIES } from './changed-resources.js';
import { missedChanges } from './missed-changes.js';
import { PendingChanges, type Change, type ChangeBatch } from './pending-changes.js';
import { StreamOwners } from './stream-owners.js';

/** Changes of one resource within this time are announced once. */
const COALESCED_FOR_MS = 250;
/** A subscriber that writes nothing takes what there is. */
const AT_ONCE = 1_024;

/** Gets a project's changes; `upTo` covers every change before. Must not throw. */
export type ChangeListener = (batch: ChangeBatch, upTo: Position) => void;

export interface Listening {
  /** All changes up to here are visible in lists, or are in `missed`. */
  readonly from: Position;
  /** The changes between the position that was asked for and `from`; null where they are too many or the position is unknown. */
  readonly missed: ChangeBatch;
  /** Must be called once. */
  leave(): void;
}

/**
 * Tells which resources change, for as long as somebody listens: one reader of the log for all listeners of the process, and none while
 * there are none. A change is announced once its event is stored; lists wait for it, as they wait for the caller's own writes.
 */
@Injectable()
export class ChangeFeed {
  private readonly listeners = new Map<string, Set<ChangeListener>>();
  private readonly owners: StreamOwners;
  private readonly pending = new PendingChanges();
  private readonly restarts: Restarts;
  private users = 0;
  private end: AbortController | null = null;
  private starting: Promise<void> | null = null;
  /** Every change up to here is in `pending`, or was announced. */
  private reached: Position = '';
  /** Every change up to here was announced. */
  private told: Position = '';

  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
  ) {
    this.owners = new StreamOwners(store);
    this.restarts = new Restarts(new Logger('changes'), clock);
  }

  /** The changes up to here were announced. */
  get position(): Position {
    return this.pending.isEmpty ? this.reached : this.told;
  }

  /** Tells the project's changes from now on; with `since`, also those after that position. Rejects with `StoreUnavailable`. */
  async listen(projectId: string, since: Position | null, listener: ChangeListener): Promise<Listening> {
    this.users += 1;
    let isOver = false;
    const leave = () => {
      if (isOver) return;
      isOver = true;
      this.remove(projectId, listener);
    };
    try {
      await (this.starting ??= this.start());
      const join = () => this.add(projectId, listener);
      if (since === null) return { from: join(), missed: [], leave };
      const missed = await missedChanges(this.store, since, {
        until: () => this.reached,
        changesIn: async (batch) => (await this.changesIn(batch)).filter((change) => change.projectId === projectId),
        join,
        clock: this.clock,
      });
      return { ...missed, leave };
    } catch (error) {
      leave();
      throw error;
    }
  }

  private add(projectId: string, listener: ChangeListener): Position {
    // What is pending lies before this listener's beginning.
    this.tell();
    const own = this.listeners.get(projectId) ?? new Set();
    this.listeners.set(projectId, own.add(listener));
    return this.told;
  }

  private remove(projectId: string, listener: ChangeListener): void {
    const own = this.listeners.get(projectId);
    if (own?.delete(listener) && own.size === 0) this.listeners.delete(projectId);
    this.users -= 1;
    if (this.users > 0) return;
    this.end?.abort();
    this.end = this.starting = null;
    this.pending.take();
  }

  private async start(): Promise<void> {
    const end = (this.end = new AbortController());
    try {
      const head = await this.store.head();
      if (end.signal.aborted) return;
      this.reached = this.told = head;
      void this.follow(end.signal);
    } catch (error) {
      if (this.end === end) this.starting = null;
      throw error;
    }
  }

  /** Never rejects. */
  private async follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const end = new LinkedAbort(signal);
      try {
        const feed = { categories: SHOWN_CATEGORIES, atOnce: AT_ONCE, signal: end.signal };
        for await (const batch of this.store.subscribe(this.reached, feed)) {
          const changes = await this.changesIn(batch);
          if (signal.aborted) return;
          this.take(changes, batch.upTo);
          this.restarts.succeeded();
        }
      } catch (error) {
        if (signal.aborted) return;
        await this.restarts.after(error, signal);
        await this.startAnewIfReplaced(signal).catch(() => undefined);
      } finally {
        end.unlink();
      }
    }
  }

  /** Positions of another log mean nothing: everybody reads their lists again. */
  private async startAnewIfReplaced(signal: AbortSignal): Promise<void> {
    if (signal.aborted || (await this.store.holds(this.reached))) return;
    const head = await this.store.head();
    if (signal.aborted) return;
    this.pending.take();
    this.reached = this.told = head;
    for (const own of this.listeners.values()) for (const listener of own) listener(null, head);
  }

  private async changesIn({ events }: FeedBatch): Promise<readonly Change[]> {
    const changes: Change[] = [];
    for (const record of events) {
      const projectId = await this.owners.ownerOf(record);
      if (projectId === null) continue;
      for (const resource of changedResources(record)) changes.push({ ...resource, projectId, position: record.position });
    }
    return changes;
  }

  private take(changes: readonly Change[], upTo: Position): void {
    const wasEmpty = this.pending.isEmpty;
    for (const change of changes) if (this.listeners.has(change.projectId)) this.pending.add(change);
    this.reached = upTo;
    if (wasEmpty && !this.pending.isEmpty) this.clock.after(COALESCED_FOR_MS, () => this.tell());
  }

  private tell(): void {
    this.told = this.reached;
    for (const [projectId, batch] of this.pending.take()) {
      for (const listener of this.listeners.get(projectId) ?? []) listener(batch, this.told);
    }
  }
}
