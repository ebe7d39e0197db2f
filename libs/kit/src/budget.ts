import { FairQueue } from './fair-queue.js';

export interface BudgetBounds {
  /** The limit of all owners together. A heavier entry is admitted when nothing else is held. */
  readonly total: number;
  /** The limit of one owner. A heavier entry is admitted when its owner holds nothing. */
  readonly perOwner: number;
  /** An owner that holds less is admitted whatever the others hold. */
  readonly least: number;
}

export interface BudgetSlot {
  /** Must be called; a second call does nothing. */
  leave(): void;
}

interface Waiting {
  readonly weight: number;
  readonly go: (slot: BudgetSlot) => void;
}

/**
 * A budget of weight (whole numbers), limited per owner and in total. First come, first served within an owner; owners with room take
 * turns, and one that has to wait delays no other.
 */
export class Budget {
  private total = 0;
  private readonly byOwner = new Map<string, number>();
  private readonly waiting = new FairQueue<Waiting>();

  constructor(private readonly bounds: BudgetBounds) {}

  get held(): number {
    return this.total;
  }

  heldBy(owner: string): number {
    return this.byOwner.get(owner) ?? 0;
  }

  /** A slot, or null if the entry would have to wait: for room, or behind others of its owner. */
  tryEnter(owner: string, weight: number): BudgetSlot | null {
    if (this.waiting.sizeOf(owner) > 0 || !this.fits(owner, weight)) return null;
    return this.take(owner, weight);
  }

  /** Waits for room. Rejects with the signal's reason if that aborts first; then nothing is held. */
  enter(owner: string, weight: number, signal?: AbortSignal): Promise<BudgetSlot> {
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    const slot = this.tryEnter(owner, weight);
    return slot ? Promise.resolve(slot) : this.wait(owner, weight, signal);
  }

  async run<T>(owner: string, weight: number, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const slot = await this.enter(owner, weight, signal);
    try {
      return await work();
    } finally {
      slot.leave();
    }
  }

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
        // The owner's next entry may be lighter, and fit.
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
