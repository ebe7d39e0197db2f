/** What may be said of an appointment at most, whoever says it: texts in code points, and a length in minutes. */
export const LONGEST_CODE = 100;
export const LONGEST_MESSAGE = 1_000;
export const LONGEST_LOCATION = 1_000;
export const LONGEST_NOTES = 4_000;
export const LONGEST_MINUTES = 10_080;
