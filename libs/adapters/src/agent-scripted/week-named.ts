import { affirmed, withoutAbsences, withoutEngagements } from './meant.js';
import type { Said } from './so-far.js';
import { ASK_WHICH } from './wording.js';

const NEXT_WEEK = { book: /\bnext week\b/, move: /\b(?:to|until|till|for) next week\b|\bnext week instead\b/ };
const WEEKDAY =
  /(?<!\b(?:next|this|last|every|week on|week,?|from) )\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b(?! (?:next|after|the|week|in)\b|,? \d{1,2}(?:st|nd|rd|th|[./]| [a-z]{3}))/g;

/** "Next week", and when it is asked which day, "Tuesday": that of the week named before. */
export function withWeekNamed(said: readonly Said[], intent: 'book' | 'move'): readonly Said[] {
  let week: Said | null = null;
  return said.map((each) => {
    const { text, answering } = each;
    const isAnswer = answering !== null && answering !== ASK_WHICH;
    if (week !== null && isAnswer && text.search(WEEKDAY) >= 0)
      return { ...each, at: week.at, text: text.replace(WEEKDAY, '$& next week') };
    if (NEXT_WEEK[intent].test(affirmed(withoutEngagements(withoutAbsences(text))))) week = each;
    return each;
  });
}
