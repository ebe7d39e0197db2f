import { Injectable } from '@nestjs/common';
import { PendingCalls } from '@kit/pending-calls';
import type { ConsumeResult } from '@ports/message-bus.port';
import { Shutdown } from '../../runtime/shutdown.js';
import { AttemptPool } from './attempt-pool.js';
import type { DeliveryPointer } from '../delivery-pointer.js';
import { REMEMBERED, Share, SMALL_SHARE } from './endpoint-share.js';

const CALLED_BACK_AT_ONCE = 8;
const MOST_SHARES = 10_000;
/** Attempts that are read for before they begin: of one endpoint, and of all. */
const READ_AHEAD = { each: 32, all: 2_000 };

export interface SharedWork {
  /**
   * Resolves when all is stored. `answered` is called before that, and counts once: as soon as the endpoint has answered,
   * or it is clear that nothing is sent, with whether it went well, quickly and to success; null: nothing was sent.
   */
  attempt(pointer: DeliveryPointer, answered: (well: boolean | null) => void): Promise<void>;
  /** Pointers to what is due for this endpoint, oldest first. */
  due(pointer: DeliveryPointer, limit: number): Promise<readonly DeliveryPointer[]>;
  /** These attempts come next: what they need can be read for all of them together. */
  readAhead(next: readonly DeliveryPointer[]): void;
}

/**
 * Deals out attempts so that no endpoint gets more than its share, and none holds a partition: what finds its share in
 * use lets its partition go on, and is taken up here as soon as there is room, or found again by the sweep. A share
 * grows with every attempt that goes well and is small again after one that does not, or while the pool is crowded and
 * the project has much of it: endpoints that hang, be they many, leave room for other projects.
 * While a partition waits for the pool, every second attempt that ends makes room for it, the others for the endpoints in
 * line.
 */
@Injectable()
export class EndpointShares {
  private readonly shares = new Map<string, Share>();
  /** What is in hand, by delivery: under way or waiting for room. */
  private readonly known = new PendingCalls<string, DeliveryPointer>();
  /** Next attempts that were due before the one under way had been let go. */
  private readonly following = new Map<string, DeliveryPointer>();
  /** Endpoints with something to do and room in their share, served in turn. */
  private readonly ready = new Set<string>();
  /** Endpoints with something to do and room in their share, were the pool not so crowded. */
  private readonly heldBack = new Set<string>();
  private readonly pool = new AttemptPool();
  /** Room made for a partition that has not come back for it yet. */
  private kept = 0;
  private partitionsTurn = true;
  private roomAwaited: { readonly promise: Promise<void>; readonly resolve: () => void } | null = null;
  private idleAwaited: (() => void)[] = [];

  constructor(private readonly shutdown: Shutdown) {}

  /** Attempts whose outcome is not stored yet. */
  get inFlight(): number {
    return this.pool.open;
  }

  /** Whether the delivery is in hand already. */
  knows(deliveryId: string): boolean {
    return this.known.has(deliveryId);
  }

  /** Whether the endpoint finds what is due for it without being told of it. */
  looksUp(endpointId: string): boolean {
    const share = this.shares.get(endpointId);
    return share !== undefined && (share.refilling || (share.dropped && share.open > 0));
  }

  /** Whether the delivery needs no new pointer. */
  holds({ deliveryId, endpointId }: Pick<DeliveryPointer, 'deliveryId' | 'endpointId'>): boolean {
    return this.knows(deliveryId) || this.looksUp(endpointId);
  }

  /** There may be more to do for the endpoint than it will be told of: it looks that up once it has made what it knows. */
  expectMore(endpointId: string): void {
    this.shareOf(endpointId).dropped = true;
  }

  /** Resolves when no attempt is under way. */
  settled(): Promise<void> {
    return this.pool.open === 0 ? Promise.resolve() : new Promise((resolve) => this.idleAwaited.push(resolve));
  }

  /** Once the process is to end, nothing new begins. */
  admit(pointer: DeliveryPointer, work: SharedWork): ConsumeResult {
    if (this.shutdown.begun.aborted) return { kind: 'full', space: NEVER };
    if (this.known.has(pointer.deliveryId)) return this.follow(pointer);
    const share = this.shareOf(pointer.endpointId);
    const hasRoom = this.hasRoom(share, pointer);
    if (hasRoom && this.pool.isFull) return { kind: 'full', space: this.room() };
    if (hasRoom) this.kept = 0;
    if (!hasRoom || share.waiting.length > 0) {
      this.remember(share, pointer);
      this.ready.add(pointer.endpointId);
      this.serve(work);
      return DROPPED;
    }
    this.known.set(pointer.deliveryId, pointer);
    return { kind: 'accepted', done: this.run(pointer, share, work) };
  }

  /** The same attempt again is dropped; the next one comes after this. */
  private follow(pointer: DeliveryPointer): ConsumeResult {
    const { deliveryId, attempt } = pointer;
    if (attempt > (this.known.get(deliveryId)?.attempt ?? 0)) this.following.set(deliveryId, pointer);
    return DROPPED;
  }

  private remember(share: Share, pointer: DeliveryPointer): void {
    if (share.waiting.length >= REMEMBERED) share.dropped = true;
    else {
      share.waiting.push(pointer);
      this.known.set(pointer.deliveryId, pointer);
    }
  }

  private async run(pointer: DeliveryPointer, share: Share, work: SharedWork): Promise<void> {
    const { projectId, endpointId, deliveryId } = pointer;
    share.unanswered++;
    share.open++;
    this.pool.take(projectId);
    let isAnswered = false;
    const answered = (well: boolean | null): void => {
      if (!isAnswered) this.takeBack(pointer, share, well, work);
      isAnswered = true;
    };
    await work.attempt(pointer, answered);
    share.open--;
    this.pool.giveBack(projectId);
    this.letGo(deliveryId, share);
    this.goOn(pointer, share, work);
    if (this.roomAwaited) this.takeTurns();
    this.serve(work);
    this.forget(endpointId, share);
    if (this.pool.open === 0) this.idleAwaited.splice(0).forEach((resolve) => resolve());
  }

  /** The endpoint can be posted to again while the outcome of what it answered is being stored. */
  private takeBack(pointer: DeliveryPointer, share: Share, well: boolean | null, work: SharedWork): void {
    share.unanswered--;
    if (well !== null) share.judge(well);
    this.goOn(pointer, share, work);
    this.serve(work);
  }

  private goOn(pointer: DeliveryPointer, share: Share, work: SharedWork): void {
    if (share.waiting.length > 0) this.ready.add(pointer.endpointId);
    else if (share.dropped) void this.refill(pointer, share, work);
  }

  private letGo(deliveryId: string, share: Share): void {
    const next = this.following.get(deliveryId);
    this.known.delete(deliveryId);
    this.following.delete(deliveryId);
    if (next) this.remember(share, next);
  }

  /** Starts what waits, one endpoint after the other. */
  private serve(work: SharedWork): void {
    if (this.shutdown.begun.aborted) return;
    this.callBack();
    for (const endpointId of this.ready) {
      if (!this.pool.hasRoomBeside(this.kept)) return;
      this.ready.delete(endpointId);
      const share = this.shares.get(endpointId);
      if (!share) continue;
      const [first] = share.waiting;
      const next = first && this.hasRoom(share, first) ? this.take(share, work) : undefined;
      if (next) void this.run(next, share, work);
      if (share.waiting[0]) this.lineUp(share.waiting[0], share);
      else this.heldBack.delete(endpointId);
    }
    if (!this.pool.isFull) this.makeRoom();
  }

  /** The more endpoints there are, the fewer attempts of each are read for. */
  private take(share: Share, work: SharedWork): DeliveryPointer | undefined {
    const atOnce = Math.min(READ_AHEAD.each, Math.floor(READ_AHEAD.all / this.shares.size));
    return share.take(atOnce, (next) => work.readAhead(next));
  }

  /** One whose share is in use comes back with the next answer. */
  private lineUp(next: DeliveryPointer, share: Share): void {
    if (this.hasRoom(share, next)) this.ready.add(next.endpointId);
    else if (share.unanswered < share.size) this.heldBack.add(next.endpointId);
  }

  /** All, or while it is crowded as many as may find room: every attempt that ends calls the next. */
  private callBack(): void {
    if (this.pool.isNearlyFull) return;
    let left = this.pool.isCrowded ? CALLED_BACK_AT_ONCE : Infinity;
    for (const endpointId of this.heldBack) {
      if (left-- <= 0) return;
      this.heldBack.delete(endpointId);
      this.ready.add(endpointId);
    }
  }

  private hasRoom({ unanswered, size }: Share, { projectId }: DeliveryPointer): boolean {
    return unanswered < this.pool.limitOf(projectId, size, SMALL_SHARE);
  }

  private takeTurns(): void {
    this.kept = this.partitionsTurn ? 1 : 0;
    if (this.partitionsTurn) this.makeRoom();
    this.partitionsTurn = !this.partitionsTurn;
  }

  private makeRoom(): void {
    this.roomAwaited?.resolve();
    this.roomAwaited = null;
  }

  private async refill(pointer: DeliveryPointer, share: Share, work: SharedWork): Promise<void> {
    if (share.refilling) return;
    share.refilling = true;
    share.dropped = false;
    try {
      const found = await work.due(pointer, REMEMBERED);
      if (found.length >= REMEMBERED) share.dropped = true;
      for (const each of found) if (!this.known.has(each.deliveryId)) this.remember(share, each);
    } catch {
      share.dropped = true;
    }
    share.refilling = false;
    if (share.waiting.length > 0) this.ready.add(pointer.endpointId);
    this.serve(work);
    this.forget(pointer.endpointId, share);
  }

  private room(): Promise<void> {
    if (!this.roomAwaited) {
      let resolve = () => {};
      const promise = new Promise<void>((done) => (resolve = done));
      this.roomAwaited = { promise, resolve: () => resolve() };
    }
    return this.roomAwaited.promise;
  }

  private shareOf(endpointId: string): Share {
    let share = this.shares.get(endpointId);
    if (!share) this.shares.set(endpointId, (share = new Share()));
    return share;
  }

  private forget(endpointId: string, { isIdle, size }: Share): void {
    if (isIdle && (size === SMALL_SHARE || this.shares.size > MOST_SHARES)) this.shares.delete(endpointId);
  }
}

const NEVER = new Promise<void>(() => undefined);
const DROPPED: ConsumeResult = { kind: 'accepted', done: Promise.resolve() };
