import { EndpointPace } from './endpoint-pace.js';

const MIN = 4;
const MAX = 64;

export class EndpointConcurrency {
  /** Attempts without an answer yet: they count towards the limit. */
  unanswered = 0;
  /** Those of them that are part of work in bulk. */
  unansweredBulk = 0;
  /** Attempts without a stored outcome, the unanswered included. */
  open = 0;
  readonly pace = new EndpointPace();
  private current = MIN;

  get limit(): number {
    return this.current;
  }

  /** Places for bulk deliveries of so many in all: one is left for a live one, half of them while live ones wait. */
  bulkShare(places: number, liveWaits: boolean): number {
    return liveWaits ? Math.floor(places / 2) : Math.max(1, places - 1);
  }

  get crowdedLimit(): number {
    return MIN;
  }

  /** Whether the endpoint can be forgotten without loss. */
  get isInitial(): boolean {
    return this.open === 0 && this.current === MIN && this.pace.isInitial;
  }

  /** Each quick success raises the limit by one; anything else resets it. */
  judge(well: boolean): void {
    this.current = well ? Math.min(this.current + 1, MAX) : MIN;
  }
}
