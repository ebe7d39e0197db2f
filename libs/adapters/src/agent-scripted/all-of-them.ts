import { VISIT } from './vocabulary.js';

const ALL = String.raw`(?:them all|(?:all|both|each|every(?: one|thing)?)(?: of)?(?: (?:them|these|those|(?:(?:my|the|our) )?(?:(?:two|three|other|upcoming|future|next) )?${VISIT}))?)`;
const OBJECT = new RegExp(
  String.raw`\b(?:cancel|cancell?ing|drop|delete|remove|scrap|call off|confirm|confirming) ${ALL}(?![\w'-])`,
);
const WHOLE_ANSWER = new RegExp(
  String.raw`^(?:(?:please|yes|ok|okay|cancel|confirm|just|i mean)[ ,]+)*${ALL}(?:[ ,]+(?:please|thanks|thank you|of course|now))*[.! ]*$`,
);
const EXCEPTING = /\b(?:not (?:all|both|every\w*)|except|excluding|apart from|other than|besides|but)\b/;

/** Whether all are to be cancelled or confirmed: as the object of the order, or as the whole answer to "which one". */
export function meansAll(text: string, answersWhich: boolean): boolean {
  return OBJECT.test(text) || (answersWhich && WHOLE_ANSWER.test(text));
}

/** "all except", "everything but": too much to be guessed at. */
export function makesExceptions(text: string): boolean {
  return EXCEPTING.test(text);
}
