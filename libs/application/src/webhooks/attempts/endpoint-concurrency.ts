const MIN = 4;
const MAX = 64;

/** How many attempts one endpoint may be sent at once, and how many it has been. */
export class EndpointConcurrency {
  /** Attempts that the endpoint has not answered yet: they count towards its limit. */
  unanswered = 0;
  /** Attempts whose outcome is not stored yet, the unanswered among them. */
  open = 0;
  private current = MIN;

  /** How many attempts may be unanswered at once. */
  get limit(): number {
    return this.current;
  }

  /** The limit while the pool is crowded. */
  get crowdedLimit(): number {
    return MIN;
  }

  /** Whether this is how every endpoint begins, so that nothing is lost when it is forgotten. */
  get isInitial(): boolean {
    return this.open === 0 && this.current === MIN;
  }

  /** The limit grows by one with every attempt that goes well, and starts again after one that does not. */
  judge(well: boolean): void {
    this.current = well ? Math.min(this.current + 1, MAX) : MIN;
  }
}
