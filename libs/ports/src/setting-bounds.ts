/** The bounds of settings, whether the operator sets them at the start or an administrator later. */

/** The longest synchronous window of a message post. */
export const MAX_REPLY_WINDOW_MS = 110_000;

/** The highest rate limit. */
export const MAX_REQUESTS_PER_SECOND = 1_000_000;

/** The length of an admin password in code points. The first password may be shorter. */
export const PASSWORD_CHARACTERS = { least: 12, most: 1_024 };
