import type { Item, Reading } from './reading.js';

const WISH = new RegExp(
  String.raw`(?:^| )(?:speak|talk|chat|want|need|reach|call|prefer|contact|connect|escalate(?: this)?|put me through|hand(?: me)? over|` +
    String.raw`(?:give|get|connect|transfer|pass|forward|send|switch|refer|direct|find|bring) me|pass me on|let me have|is there|` +
    String.raw`(?:can|could|may) i (?:have|get)|i(?:'d| would) (?:like|rather have))$`,
);
const FILLERS_BEFORE_PERSON =
  /^(?:an?|the|real|live|actual|please|pls|plz|just|really|now|some|any|with|to|your|other|another|different|nice|friendly|here|there)$/;
/** With one of these words the wish is someone else's, past, or none. */
const NO_WISH = new RegExp(
  String.raw`n't\b|\b(?:not|cannot|never|without|if|nor|neither|s?he|they|wife|husband|partner|mother|father|mum|mom|dad|son|daughter|` +
    `brother|sister|friend|boss|neighbou?r|wants|wanted|was|were|had|did|talked|spoken?|talking|speaking|transferred|connected|gave|got|` +
    String.raw`been|asked|yesterday|earlier|are)\b`,
);
/** `mentioned` if the message only speaks of a person. */
export function personIn(reading: Reading): 'asked' | 'mentioned' | null {
  const persons = reading.of('person');
  if (persons.length === 0) return null;
  return persons.some((person) => isAsked(person, reading)) ? 'asked' : 'mentioned';
}

/** The wish is directly before the person, or there is only the person with fillers: "hello, agent please", not "my agent". */
function isAsked({ clause, start }: Item, reading: Reading): boolean {
  const said = reading.items.filter((item) => item.clause === clause);
  const wordsOf = (items: readonly Item[]) => items.flatMap(({ words }) => words.split(' '));
  const before = wordsOf(said.filter((item) => item.start < start)).filter((word) => !FILLERS_BEFORE_PERSON.test(word));
  if (WISH.test(before.join(' ')) && !NO_WISH.test(wordsOf(said).join(' '))) return true;
  const isAddressed = reading.has('greeting', 'thanks') && !reading.says('please', 'pls', 'plz');
  const isAboutElse = reading.isQuestion && said.length < reading.items.length;
  const isAlone = said.every(({ slot, words }) => ['filler', 'person', 'yes'].includes(slot) && words !== 'my');
  return isAlone && !isAddressed && !isAboutElse;
}
