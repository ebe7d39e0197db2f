/** The agent is asked without a memory that takes longer. */
export const MEMORY_WITHIN_MS = 500;

/** How long a memory waits for rows to hold what was said and booked last: well within what a turn waits for the memory. */
export const MEMORY_CATCHES_UP_WITHIN_MS = 250;
