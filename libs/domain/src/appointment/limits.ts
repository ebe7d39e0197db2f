/** Lengths in code points, the duration in minutes. */
export const MAX_CODE_LENGTH = 100;
export const MAX_MESSAGE_LENGTH = 1_000;
export const MAX_LOCATION_LENGTH = 1_000;
export const MAX_NOTES_LENGTH = 4_000;
export const MAX_MINUTES = 10_080;
