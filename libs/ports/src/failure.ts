/** A continuing failure is logged once in this time, per cause. */
export const LOG_AGAIN_AFTER_MS = 60_000;

/** The kind of a failure, for logs that must not quote its message. */
export function nameOf(failure: unknown): string {
  return failure instanceof Error ? failure.name : typeof failure;
}

/** The kind of a failure and its message. */
export function failureReason(failure: unknown): string {
  return failure instanceof Error ? `${failure.name}: ${failure.message}` : typeof failure;
}
