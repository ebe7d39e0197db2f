/** How often the log is told of a trouble that goes on, for each cause. */
export const TOLD_AGAIN_AFTER_MS = 60_000;

/** What kind of failure it is, for logs that must not quote what it was about. */
export function nameOf(failure: unknown): string {
  return failure instanceof Error ? failure.name : typeof failure;
}

/** What kind of failure it is and what it says. */
export function reasonOf(failure: unknown): string {
  return failure instanceof Error ? `${failure.name}: ${failure.message}` : typeof failure;
}
