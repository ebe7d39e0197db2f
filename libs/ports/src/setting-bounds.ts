/** What a setting may be, whether the operator gives it at the start or an administrator later. */

/** The longest synchronous window of a message post. */
export const MOST_REPLY_WINDOW_MS = 110_000;

/** The highest rate limit. */
export const MOST_REQUESTS_PER_SECOND = 1_000_000;

/** How many characters an admin password has: code points, as a person counts them. A first one may be shorter. */
export const PASSWORD_CHARACTERS = { least: 12, most: 1_024 };
