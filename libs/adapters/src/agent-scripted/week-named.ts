import { appointmentIntent, wishesNextVisit } from './intent.js';
import { affirmed, withoutAbsences, withoutEngagements } from './meant.js';
import type { Said } from './so-far.js';
import { ASK_WHICH } from './wording.js';

const NEXT_WEEK = /(?<!\bmy |\b(?:before|by|or|than)\b.*)\bnext week\b(?! or\b)/;
const ALONE =
  /^(?:yes|no|well|ok|okay|then|maybe|perhaps|rather|actually|preferably|ideally|for|in|on|early|late|later|some ?time|any ?time|any day|in the course of| )*next week\b(?: (?:please|then|instead|if possible|(?:would be|is|suits me|works) (?:better|best|fine|good)))*$/;
const MOVED_TO =
  /\b(?:to|into|until|till|for|do|about|make (?:it|that)|it (?:has to|needs to|must|should|can|could) be)(?: (?:some ?time|any ?time|early|late|later|the (?:beginning|start|middle|end) of))? next week\b|\bnext week instead\b/;
const CLAUSE = /[,.;:!?\n]| (?:but|so|because|since|as|and(?= (?:i|we|you|it|then|please|need|want|book)\b)) /;
const WISH = /\b(?:(?:i|we)(?:'d| would)? (?:need|want|like|love|prefer)|book|you have)\b/;
const WEEKDAY =
  /(?<!\b(?:next|this|last|every|week on|week,?|from) )\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b(?! (?:next|this|after|the|week|in)\b|,? \d{1,2}(?:st|nd|rd|th|[./]| [a-z]{3}))/g;
const SOONER = /\b(?:sooner|earlier)\b/;

/** "The wedding is next week, book a haircut" names no week for the haircut. */
function namesNextWeek({ text, answering }: Said, intent: 'book' | 'move'): boolean {
  if (answering === ASK_WHICH || text.search(/\bnext week\b/) < 0) return false;
  const clauses = affirmed(withoutEngagements(withoutAbsences(text))).split(CLAUSE);
  return clauses.some((clause) => {
    if (clause.includes('next week') && wishesNextVisit(clause)) return true;
    if (!NEXT_WEEK.test(clause)) return false;
    if (ALONE.test(clause.trim()) || MOVED_TO.test(clause)) return true;
    return intent === 'book' && (WISH.test(clause) || appointmentIntent(clause) === 'book');
  });
}

/** "Next week", and when it is asked which day, "Tuesday": that of the week named before. */
export function withWeekNamed(said: readonly Said[], intent: 'book' | 'move'): readonly Said[] {
  let week: Said | null = null;
  return said.map((each) => {
    const { text, answering } = each;
    const isAnswer = answering !== null && answering !== ASK_WHICH;
    if (week !== null && isAnswer && text.search(WEEKDAY) >= 0 && !SOONER.test(text))
      return { ...each, at: week.at, text: text.replace(WEEKDAY, '$& next week') };
    if (namesNextWeek(each, intent)) week = each;
    return each;
  });
}
