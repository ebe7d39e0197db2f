/** An event that a projection or a reactor could not apply. */
export interface SkippedEvent {
  readonly id: string;
  readonly position: string;
  readonly type: string;
  readonly stream: string;
  readonly revision: number;
  /** The rows that lack it, of a projection. */
  readonly rows: readonly string[];
  /** The name of the latest error, and where in this program it was thrown. */
  readonly error: string;
  readonly frames: readonly string[];
  readonly attempts: number;
  readonly firstAt: number;
  readonly lastAt: number;
}
