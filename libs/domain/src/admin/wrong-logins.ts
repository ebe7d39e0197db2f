export const MAX_WRONG_LOGINS = 5;
export const LOGIN_WINDOW_MS = 15 * 60_000;

/** The instants of failed logins inside the window, in recording order. */
export type WrongLogins = readonly number[];

/**
 * Instants in the future were recorded before the clock was set back: counting them would extend the lock-out by the
 * size of that step.
 */
export function stillCounting(wrong: WrongLogins, now: number): WrongLogins {
  return wrong.filter((at) => at > now - LOGIN_WINDOW_MS && at <= now);
}

/** How long the next attempt must wait, in milliseconds; 0 when it may run now. */
export function lockedFor(wrong: WrongLogins, now: number): number {
  const counting = stillCounting(wrong, now);
  const decisive = counting.at(-MAX_WRONG_LOGINS);
  return decisive === undefined ? 0 : decisive + LOGIN_WINDOW_MS - now;
}
