import type { Retelling } from '@application/origin';

/** What is known of an answer beside what it says. */
export interface AnswerNature {
  /** Nothing in it is secret. */
  readonly open: boolean;
  /** How it follows from what is stored, if it does. */
  readonly retelling: Retelling | undefined;
}

export const SECRET: AnswerNature = { open: false, retelling: undefined };
