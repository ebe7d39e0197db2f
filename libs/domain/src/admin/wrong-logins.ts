export const MAX_WRONG_LOGINS = 5;
export const LOGIN_WINDOW_MS = 15 * 60_000;

export type WrongLogins = readonly number[];

/** Ignores instants in the future, recorded before the clock was set back: they would prolong the lock-out. */
export function stillCounting(wrong: WrongLogins, now: number): WrongLogins {
  return wrong.filter((at) => at > now - LOGIN_WINDOW_MS && at <= now);
}

/** Milliseconds until the next attempt is allowed; 0 when it is now. */
export function lockedFor(wrong: WrongLogins, now: number): number {
  const counting = stillCounting(wrong, now);
  const decisive = counting.at(-MAX_WRONG_LOGINS);
  return decisive === undefined ? 0 : decisive + LOGIN_WINDOW_MS - now;
}
