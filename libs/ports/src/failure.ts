/** What kind of failure it is, for logs that must not quote what it was about. */
export function nameOf(failure: unknown): string {
  return failure instanceof Error ? failure.name : typeof failure;
}

/** What kind of failure it is and what it says. */
export function reasonOf(failure: unknown): string {
  return failure instanceof Error ? `${failure.name}: ${failure.message}` : typeof failure;
}
