import type { DeliveryPointer } from '../delivery-pointer.js';
import type { FindDue } from './backlog.js';

export interface AttemptSigns {
  /** The endpoint is known, with its limit of attempts a second; null for none. Not called for a deleted one. */
  found(ratePerSecond: number | null): void;
  /** The POST begins. */
  sends(): void;
  /**
   * Before the outcome is stored: true for a quick success, false for a slow or failed attempt, null if nothing was sent and the same
   * attempt may be queued again. Only the first call counts.
   */
  answered(well: boolean | null): void;
}

export interface AttemptWork {
  /** Resolves when the outcome is stored; to false if the attempt was given up on our side. */
  attempt(pointer: DeliveryPointer, signs: AttemptSigns): Promise<boolean>;
  due: FindDue;
  readAhead(next: readonly DeliveryPointer[]): void;
  /** Leaves attempts to the process that makes the endpoint's now. */
  handBack(pointers: readonly DeliveryPointer[]): void;
}
