export const MOST_WRONG_LOGINS = 5;
export const LOGIN_WINDOW_MS = 15 * 60_000;

/** Instants of wrong passwords, in their order; only those inside the window. */
export type WrongLogins = readonly number[];

/** What lies ahead was noted before the clock was set back: counting it would lock for as long as that was. */
export function stillCounting(wrong: WrongLogins, now: number): WrongLogins {
  return wrong.filter((at) => at > now - LOGIN_WINDOW_MS && at <= now);
}

/** How long to wait until the next try, in milliseconds; 0 when it may be now. */
export function lockedFor(wrong: WrongLogins, now: number): number {
  const counting = stillCounting(wrong, now);
  const decisive = counting.at(-MOST_WRONG_LOGINS);
  return decisive === undefined ? 0 : decisive + LOGIN_WINDOW_MS - now;
}
