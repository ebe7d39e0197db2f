import { Injectable } from '@nestjs/common';
import type { Admission } from '@ports/message-bus.port';
import { Shutdown } from '../shutdown.js';
import type { DeliveryPointer } from './delivery-pointer.js';

/** Attempts under way at once, in all and for one endpoint. */
const POOL = 512;
const SHARE = 4;
/** Pointers remembered for an endpoint whose share is in use; beyond that it has to look them up. */
const REMEMBERED = 100;

interface Share {
  running: number;
  readonly waiting: DeliveryPointer[];
  /** Pointers were dropped: there is more to do than is remembered. */
  dropped: boolean;
  refilling: boolean;
}

export interface SharedWork {
  attempt(pointer: DeliveryPointer): Promise<void>;
  /** Pointers to what is due for this endpoint, oldest first. */
  due(pointer: DeliveryPointer, limit: number): Promise<readonly DeliveryPointer[]>;
}

/**
 * Deals out attempts so that no endpoint gets more than its share, and none holds a partition: what finds its share in
 * use lets its partition go on, and is taken up here as soon as there is room, or found again by the sweep.
 */
@Injectable()
export class EndpointShares {
  private readonly shares = new Map<string, Share>();
  private readonly known = new Set<string>();
  /** Endpoints with something to do and room in their share, served in turn. */
  private readonly ready = new Set<string>();
  private running = 0;
  private roomAwaited: { readonly promise: Promise<void>; readonly resolve: () => void } | null = null;
  private idleAwaited: (() => void)[] = [];

  constructor(private readonly shutdown: Shutdown) {}

  /** Attempts under way. */
  get inFlight(): number {
    return this.running;
  }

  /** Whether the delivery is in hand already. */
  knows(deliveryId: string): boolean {
    return this.known.has(deliveryId);
  }

  /** Resolves when no attempt is under way. */
  settled(): Promise<void> {
    return this.running === 0 ? Promise.resolve() : new Promise((resolve) => this.idleAwaited.push(resolve));
  }

  /** Once the process is to end, nothing new begins. */
  admit(pointer: DeliveryPointer, work: SharedWork): Admission {
    if (this.shutdown.begun.aborted) return { kind: 'full', space: NEVER };
    if (this.known.has(pointer.deliveryId)) return DROPPED;
    const share = this.shareOf(pointer.endpointId);
    if (share.running >= SHARE) {
      this.remember(share, pointer);
      return DROPPED;
    }
    if (this.running >= POOL) return { kind: 'full', space: this.room() };
    this.known.add(pointer.deliveryId);
    return { kind: 'accepted', done: this.run(pointer, share, work) };
  }

  private remember(share: Share, pointer: DeliveryPointer): void {
    if (share.waiting.length >= REMEMBERED) share.dropped = true;
    else {
      share.waiting.push(pointer);
      this.known.add(pointer.deliveryId);
    }
  }

  private async run(pointer: DeliveryPointer, share: Share, work: SharedWork): Promise<void> {
    const { endpointId, deliveryId } = pointer;
    share.running++;
    this.running++;
    try {
      await work.attempt(pointer);
    } finally {
      share.running--;
      this.running--;
      this.known.delete(deliveryId);
      if (share.waiting.length === 0 && share.dropped) void this.refill(pointer, share, work);
      if (share.waiting.length > 0) this.ready.add(endpointId);
      this.serve(work);
      this.forget(endpointId, share);
      if (this.running === 0) this.idleAwaited.splice(0).forEach((resolve) => resolve());
    }
  }

  /** Starts what waits, one endpoint after the other. */
  private serve(work: SharedWork): void {
    if (this.shutdown.begun.aborted) return;
    for (const endpointId of this.ready) {
      if (this.running >= POOL) return;
      this.ready.delete(endpointId);
      const share = this.shareOf(endpointId);
      const next = share.running < SHARE ? share.waiting.shift() : undefined;
      if (!next) continue;
      if (share.waiting.length > 0 && share.running + 1 < SHARE) this.ready.add(endpointId);
      void this.run(next, share, work);
    }
    if (this.running >= POOL) return;
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
    if (!share) this.shares.set(endpointId, (share = { running: 0, waiting: [], dropped: false, refilling: false }));
    return share;
  }

  private forget(endpointId: string, { running, waiting, refilling }: Share): void {
    if (running === 0 && waiting.length === 0 && !refilling) this.shares.delete(endpointId);
  }
}

const NEVER = new Promise<void>(() => undefined);
const DROPPED: Admission = { kind: 'accepted', done: Promise.resolve() };
