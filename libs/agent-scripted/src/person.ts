import { tokensOf } from './tokens.js';
import type { Reading } from './reading.js';
import { BESIDE_A_PERSON, FEW_WORDS, NO_WISH, WISHES } from './words.js';

/** Whether a message asks for a person; `mentioned` where it only speaks of one. */
export function personIn(reading: Reading): 'asked' | 'mentioned' | null {
  const { items } = reading;
  const isPolite = reading.has('greeting', 'thanks');
  const clauses = items.filter(({ slot }) => slot === 'person').map(({ clause }) => clause);
  if (clauses.length === 0) return null;
  const isAsked = (clause: number) =>
    wishes(reading, clause) ||
    (isAlone(reading, clause, isPolite) && !(reading.isQuestion && items.some((item) => item.clause !== clause)));
  return clauses.some(isAsked) ? 'asked' : 'mentioned';
}

/** A wish stands directly before the person, and nothing in its clause makes it none. */
function wishes({ items, content }: Reading, clause: number): boolean {
  const said = tokensOf(content).filter((token) => token.clause === clause);
  if (said.some(({ word }) => NO_WISH.has(word) || word.endsWith("n't"))) return false;
  return items
    .filter((item) => item.slot === 'person' && item.clause === clause)
    .some(({ start }) => {
      const before = said.filter(({ end, word }) => end <= start && !BESIDE_A_PERSON.has(word)).map(({ word }) => word);
      return WISHES.some((wish) => ` ${before.join(' ')}`.endsWith(` ${wish}`));
    });
}

/** A clause of the person and words around it. "Hello, agent" is none, but "hello, agent please" is. */
function isAlone({ items }: Reading, clause: number, isGreeting: boolean): boolean {
  const said = items.filter((item) => item.clause === clause);
  const words = said.filter(({ slot }) => slot !== 'person' && slot !== 'yes').flatMap(({ words: each }) => each.split(' '));
  const isFew = words.every((word) => BESIDE_A_PERSON.has(word) || FEW_WORDS.has(word) || !/\p{L}/u.test(word));
  return (
    isFew &&
    said.every(({ slot }) => ['filler', 'person', 'yes'].includes(slot)) &&
    (!isGreeting || words.some((word) => /^pl(?:ease|[sz])$/.test(word)))
  );
}
