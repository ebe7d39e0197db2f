import { inThisContext } from '@kit/in-this-context';
import type { Clock } from '@ports/clock.port';

/** The polling interval for waiting requests: a shutdown ends the wait for a debt. */
const LOOK_AGAIN_MS = 250;

/** Single items start before pages, and wait only for the project's debt or held units. */
export type BudgetKind = 'single' | 'page';
const KINDS: readonly BudgetKind[] = ['single', 'page'];

/** Limits of each project's share. Units are the cost of work: bytes of an answer, or structural characters for a parser. */
export interface BudgetLimits {
  /** Units per second, by the project's requests per second (0: unlimited). */
  readonly unitsPerSecond: (requestsPerSecond: number) => number;
  /** Units saved up while idle, as a share of a second's. */
  readonly savedSeconds: number;
  /** Units charged and not yet returned. */
  readonly mostHeld: number;
  readonly mostWaiting: number;
  /** Pages that may run at once, by the average cost of the last few. */
  readonly pagesAtOnce: (usualUnits: number) => number;
}

/** The holder must call `leave`; only the first `charge` counts. */
export interface BudgetSlot {
  charge(units: number): void;
  /** Gives the charged units back to the budget. */
  leave(): void;
}

type Go = (slot: BudgetSlot) => void;

/** One project's spending: a rate that may go into debt, a limit on held units, and a limit on concurrent pages. */
class ProjectShare {
  private pages = 0;
  private usualUnits = 0;
  private held = 0;
  /** Units that may be spent now; negative after expensive work. */
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
    this.waiting[kind].push(inThisContext(go));
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
    // A refused request leaves at once, which serves the next: without this, calls would nest by the thousand.
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

/** Keeps one project's expensive, numerous or long work from delaying others. First come, first served within a project. */
export class ProjectBudget {
  private readonly shares = new Map<string, ProjectShare>();

  /** While `isEnding`, the process finishes what it has accepted: nothing waits for a debt. */
  constructor(
    private readonly clock: Clock,
    private readonly limits: BudgetLimits,
    private readonly isEnding: () => boolean,
  ) {}

  /** Calls `go` in the caller's async context; false where too many wait. `requestsPerSecond`: the owner's limit, 0 for none. */
  enter(owner: string, kind: BudgetKind, requestsPerSecond: number, go: Go): boolean {
    let share = this.shares.get(owner);
    if (!share) this.shares.set(owner, (share = new ProjectShare(this.clock, this.limits, this.isEnding)));
    return share.enter(kind, requestsPerSecond, go);
  }
}
