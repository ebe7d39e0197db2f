import { FairQueue } from './fair-queue.js';

/** Weights are whole numbers of one unit. */
export interface BudgetBounds {
  /** What all owners may hold together. An entry that is heavier goes in when nothing else is held. */
  readonly total: number;
  /** What one owner may hold. An entry that is heavier goes in when its owner holds nothing. */
  readonly perOwner: number;
  /** An owner that holds less than this is let in however much the others hold. */
  readonly least: number;
}

/** A weight held in the budget. The holder must call `leave`. */
export interface BudgetSlot {
  /** Gives the weight back; a second call does nothing. */
  leave(): void;
}

interface Waiting {
  readonly weight: number;
  readonly go: (slot: BudgetSlot) => void;
}

/**
 * A budget of weight shared by owners: bounded for each and in all. First come, first served within an owner; an owner whose
 * first entry has to wait delays no other owner, and those that have room take turns.
 */
export class Budget {
  private total = 0;
  /** An owner that holds nothing is not here. */
  private readonly byOwner = new Map<string, number>();
  private readonly waiting = new FairQueue<Waiting>();

  constructor(private readonly bounds: BudgetBounds) {}

  /** The weight that all owners hold. */
  get held(): number {
    return this.total;
  }

  heldBy(owner: string): number {
    return this.byOwner.get(owner) ?? 0;
  }

  /** A slot, or null where the entry would have to wait: for room, or behind others of its owner. */
  tryEnter(owner: string, weight: number): BudgetSlot | null {
    if (this.waiting.sizeOf(owner) > 0 || !this.fits(owner, weight)) return null;
    return this.take(owner, weight);
  }

  /** Waits for room. Rejects with the signal's reason when the signal aborts first; then nothing is held. */
  enter(owner: string, weight: number, signal?: AbortSignal): Promise<BudgetSlot> {
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    const slot = this.tryEnter(owner, weight);
    return slot ? Promise.resolve(slot) : this.wait(owner, weight, signal);
  }

  /** Runs `work` while it holds the weight. Rejects as `enter` and `work` do. */
  async run<T>(owner: string, weight: number, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const slot = await this.enter(owner, weight, signal);
    try {
      return await work();
    } finally {
      slot.leave();
    }
  }

  /** Lets in whoever has room. */
  private serve(): void {
    const fits = (owner: string, { weight }: Waiting): boolean => this.fits(owner, weight);
    for (let turn = this.waiting.next(1, fits); turn; turn = this.waiting.next(1, fits)) {
      for (const { weight, go } of turn.items) go(this.take(turn.owner, weight));
    }
  }

  private fits(owner: string, weight: number): boolean {
    const held = this.heldBy(owner);
    const { total, perOwner, least } = this.bounds;
    const fitsOwner = held === 0 || held + weight <= perOwner;
    return fitsOwner && (held < least || this.total === 0 || this.total + weight <= total);
  }

  private take(owner: string, weight: number): BudgetSlot {
    let isHeld = true;
    this.count(owner, weight);
    const leave = (): void => {
      if (!isHeld) return;
      isHeld = false;
      this.count(owner, -weight);
      this.serve();
    };
    return { leave };
  }

  private count(owner: string, change: number): void {
    const held = this.heldBy(owner) + change;
    if (held === 0) this.byOwner.delete(owner);
    else this.byOwner.set(owner, held);
    this.total += change;
  }

  private wait(owner: string, weight: number, signal?: AbortSignal): Promise<BudgetSlot> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        this.waiting.remove(owner, waiting);
        reject(signal?.reason as Error);
        // The next of this owner may be lighter, and fit.
        this.serve();
      };
      const go = (slot: BudgetSlot): void => {
        signal?.removeEventListener('abort', giveUp);
        resolve(slot);
      };
      const waiting: Waiting = { weight, go };
      this.waiting.push(owner, waiting);
      signal?.addEventListener('abort', giveUp, { once: true });
    });
  }
}
