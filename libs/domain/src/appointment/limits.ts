/** Maximum lengths of an appointment's texts, in code points, and its maximum duration, in minutes. */
export const LONGEST_CODE = 100;
export const LONGEST_MESSAGE = 1_000;
export const LONGEST_LOCATION = 1_000;
export const LONGEST_NOTES = 4_000;
export const LONGEST_MINUTES = 10_080;
