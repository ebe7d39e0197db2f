import { AsyncResource } from 'node:async_hooks';
import type { Clock } from '@ports/clock.port';

/** Waiting requests are looked at again at least this often: the process may have begun to end, which waits for no debt. */
const LOOK_AGAIN_MS = 250;

/** Single things start before pages, and wait only for what the project still owes or holds. */
export type BudgetKind = 'single' | 'page';
const KINDS: readonly BudgetKind[] = ['single', 'page'];

/** The bounds of each project's share. Units are what the work costs: bytes of an answer, or characters that slow a parser down. */
export interface BudgetLimits {
  /** Units that a project may spend in a second, by the requests that it may make in one (0: any number of units). */
  readonly unitsPerSecond: (requestsPerSecond: number) => number;
  /** Units that it may save up while idle, as a share of a second's. */
  readonly savedSeconds: number;
  /** Units charged and not given back at once. */
  readonly mostHeld: number;
  /** Requests that may wait. */
  readonly mostWaiting: number;
  /** Pages that may run at once, by what the last few pages cost on average. */
  readonly pagesAtOnce: (usualUnits: number) => number;
}

/** A request's place in its project's budget. The holder must call `leave`; the first `charge` counts. */
export interface BudgetSlot {
  /** Says what the work cost. */
  charge(units: number): void;
  /** Gives back what was charged; charges nothing where `charge` was not called. */
  leave(): void;
}

type Go = (slot: BudgetSlot) => void;

/** What one project spends and holds: a rate that may go into debt, a bound on what is held, and a bound on pages at once. */
class ProjectShare {
  private pages = 0;
  private usualUnits = 0;
  private held = 0;
  /** Units that may be spent now; below zero after expensive work. */
  private left = Infinity;
  private perSecond = 0;
  private filledAt: number;
  private readonly waiting: Readonly<Record<BudgetKind, Go[]>> = { single: [], page: [] };
  private isTimerSet = false;
  private isServing = false;

  constructor(
    private readonly clock: Clock,
    private readonly limits: BudgetLimits,
    private readonly isEnding: () => boolean,
  ) {
    this.filledAt = clock.elapsed();
  }

  enter(kind: BudgetKind, perSecond: number, go: Go): boolean {
    this.perSecond = perSecond;
    if (this.waiting[kind].length === 0 && this.hasRoom(kind)) {
      this.begin(kind, go);
      return true;
    }
    if (this.countWaiting() >= this.limits.mostWaiting) return false;
    this.waiting[kind].push(AsyncResource.bind(go));
    this.serveLater();
    return true;
  }

  private begin(kind: BudgetKind, go: Go): void {
    if (kind === 'page') this.pages += 1;
    let charged: number | null = null;
    let isOver = false;
    const charge = (units: number) => {
      if (charged !== null) return;
      charged = units;
      if (kind === 'page') this.endPage(units);
      this.held += units;
      this.left -= units;
      this.serve();
    };
    const leave = () => {
      charge(0);
      if (!isOver) this.held -= charged ?? 0;
      isOver = true;
      this.serve();
    };
    go({ charge, leave });
  }

  private endPage(units: number): void {
    this.pages -= 1;
    this.usualUnits += (units - this.usualUnits) / 4;
  }

  private serve(): void {
    // A request that is refused when its turn comes leaves at once, which serves the next: without this they nest by the thousand.
    if (this.isServing) return;
    this.isServing = true;
    try {
      for (let go = this.next(); go; go = this.next()) go();
    } finally {
      this.isServing = false;
    }
  }

  private next(): (() => void) | undefined {
    const kind = KINDS.find((each) => this.waiting[each].length > 0 && this.hasRoom(each));
    const go = kind && this.waiting[kind].shift();
    return go && (() => this.begin(kind, go));
  }

  private countWaiting(): number {
    return this.waiting.single.length + this.waiting.page.length;
  }

  private hasRoom(kind: BudgetKind): boolean {
    const { mostHeld, pagesAtOnce } = this.limits;
    if (this.held >= mostHeld || (kind === 'page' && this.pages >= pagesAtOnce(this.usualUnits))) return false;
    this.fill();
    return this.left > 0 || this.isEnding();
  }

  private fill(): void {
    const now = this.clock.elapsed();
    const rate = this.limits.unitsPerSecond(this.perSecond);
    const earned = ((now - this.filledAt) / 1_000) * rate;
    this.left = rate === 0 ? Infinity : Math.min(rate * this.limits.savedSeconds, this.left + earned);
    this.filledAt = now;
  }

  private untilPaidMs(): number {
    if (this.left > 0) return LOOK_AGAIN_MS;
    return Math.min(LOOK_AGAIN_MS, Math.ceil((-this.left / this.limits.unitsPerSecond(this.perSecond)) * 1_000) || 1);
  }

  private serveLater(): void {
    if (this.isTimerSet) return;
    this.isTimerSet = true;
    this.clock.after(this.untilPaidMs(), () => {
      this.isTimerSet = false;
      this.serve();
      if (this.countWaiting() > 0) this.serveLater();
    });
  }
}

/**
 * Keeps one project's work from taking the process: work that costs much, runs many at once, or is held long makes its own
 * project wait and no other. Work goes first come, first served within a project.
 */
export class ProjectBudget {
  private readonly shares = new Map<string, ProjectShare>();

  /** While `isEnding` holds, the process finishes what it has accepted: nothing waits for a debt. */
  constructor(
    private readonly clock: Clock,
    private readonly limits: BudgetLimits,
    private readonly isEnding: () => boolean,
  ) {}

  /**
   * Calls `go` now or as soon as the owner has room, in the caller's async context; false where too many of its requests wait already.
   * `requestsPerSecond`: what the owner may ask for at most, 0 for any number.
   */
  enter(owner: string, kind: BudgetKind, requestsPerSecond: number, go: Go): boolean {
    let share = this.shares.get(owner);
    if (!share) this.shares.set(owner, (share = new ProjectShare(this.clock, this.limits, this.isEnding)));
    return share.enter(kind, requestsPerSecond, go);
  }
}
