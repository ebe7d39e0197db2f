import { MOST_ATTEMPTS_AT_ONCE as PLACES } from '@ports/webhook-sender.port';

/** What one project may have of them: the others get something also while hundreds of its endpoints hang. */
const MOST_OF_A_PROJECT = (PLACES * 7) / 8;
/** While so much is open, who has much gets small shares only, and of a pool that is nearly full single places. */
const CROWDED = PLACES / 2;
const NEARLY_FULL = (PLACES * 3) / 4;
/** What a project may have open and still has little, in a crowded pool and in one that is nearly full. */
const LITTLE = { crowded: PLACES / 8, nearlyFull: PLACES / 32 };

/** The places of all attempts that are under way, and whose they are. */
export class AttemptPool {
  private taken = 0;
  private readonly takenBy = new Map<string, number>();

  /** The places in use. */
  get open(): number {
    return this.taken;
  }

  get isFull(): boolean {
    return this.taken >= PLACES;
  }

  get isCrowded(): boolean {
    return this.taken >= CROWDED;
  }

  get isNearlyFull(): boolean {
    return this.taken >= NEARLY_FULL;
  }

  /** Whether a place is left beside so many that are kept for others. */
  hasRoomBeside(others: number): boolean {
    return this.taken + others < PLACES;
  }

  take(projectId: string): void {
    this.taken++;
    this.takenBy.set(projectId, this.heldBy(projectId) + 1);
  }

  giveBack(projectId: string): void {
    this.taken--;
    const left = this.heldBy(projectId) - 1;
    if (left > 0) this.takenBy.set(projectId, left);
    else this.takenBy.delete(projectId);
  }

  /** What an endpoint of the project may have open now of a share of this size; `small`: while the pool is crowded. */
  limitOf(projectId: string, size: number, small: number): number {
    if (!this.isCrowded) return size;
    const held = this.heldBy(projectId);
    if (held >= MOST_OF_A_PROJECT) return 0;
    if (held < (this.isNearlyFull ? LITTLE.nearlyFull : LITTLE.crowded)) return size;
    return this.isNearlyFull ? 1 : small;
  }

  private heldBy(projectId: string): number {
    return this.takenBy.get(projectId) ?? 0;
  }
}
