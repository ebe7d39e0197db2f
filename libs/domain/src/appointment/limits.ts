/** What an appointment may say at most, whoever says it: texts in code points, a week in minutes. */
export const LONGEST_TEXT = 255;
export const LONGEST_CODE = 100;
export const LONGEST_MESSAGE = 1_000;
export const LONGEST_MINUTES = 10_080;
