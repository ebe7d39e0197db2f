import { anyOf } from './any-of.js';

// Every pattern reads text as `readable` leaves it: lower case, straight apostrophes, single spaces.

const PERSON = String.raw`(?:(?:real |live |actual |human )?(?:human|agent|representative)s?|(?:real|live|actual) (?:person|people|human being))`;

const NAMED = new RegExp(String.raw`\b${PERSON}\b(?!-)`, 'g');

/** Words around the noun with which it is no person to talk to, or only talked about. */
const TOPIC_BEFORE =
  /(?:\b(?:travel|estate|insurance|letting|booking|cleaning|user|secret|press|ticket|ai|virtual|software|shipping|bleaching|change|free|my|his|her|their|only|i'm an?|i am an?|he's an?|she's an?|they are|we are)|non|\b(?:talked|spoke|spoken|written|wrote) (?:to|with) (?:an?|the|your|one of your)) $|\w-$/;
const TOPIC_AFTER =
  /^ (?:resources?|rights?|errors?|bod(?:y|ies)|nature|readable|history|factors?|hair|made|interface|sample|democracy|string|orange|of (?!your|the company)|was|were|said|told|mentioned|promised|called|wrote|emailed|sent|who|didn't|did|had|never|helped)/;

/** "I don't need to talk to a", "without any", "no": all of it right before the noun. */
const REFUSED =
  /(?:\b(?:don't|do not|didn't|doesn't|does not|not|no|never|without|needn't|instead of|rather than)(?: (?:need|needs|want|wants|wish|like|require|have|to|talk|talking|speak|speaking|chat|be|connect|connected|transfer|transferred|put|hand|over|get|give|call|send|through|me|with|for|a|an|any|the|your|another|really|even|actually|just))*) $/;

const SOMEBODY = String.raw`(?:someone|somebody|anyone|anybody|(?:a |another )?(?:person|people|human)|staff|(?:(?:the|your|a|an|some) )?(?:manager|supervisor|receptionist|colleague|team|support|customer (?:service|care|support)|employee|operator|specialist|advisor|rep))`;

const ASKED_FOR = [
  new RegExp(
    String.raw`\b(?:talk|speak|speaking|talking|chat|connected|transferred|put|pass|connect|transfer|get in touch|reach)(?: \w+){0,3} (?:to|with|through to|over to) ${SOMEBODY}\b`,
  ),
  new RegExp(
    String.raw`\b(?:can|could|have|let|would|may|please|want|need) (?:someone|somebody|anyone|a person|a colleague|your (?:team|staff|manager))(?: please)?(?: to)? (?:call|ring|phone|contact|talk|speak|reach)\b`,
  ),
  /\b(?:transfer|connect|escalate|forward) (?:me|this|us)\b(?! (?:the|an?) )/,
  /\bput me through\b/,
  /\bhand (?:me|this|us) (?:over|off)\b/,
  /^(?:operator|customer (?:service|support|care)|receptionist)(?: please)?$/,
];

const ANY_ASKED_FOR = anyOf(...ASKED_FOR);

const REFUSED_VERB = /\b(?:don't|do not|no need to|not|never)(?: (?:need|want|wish|like|have|to|you|me|please))*$/;

const IDENTITY =
  /\b(?:are you|is this|am i (?:talking|speaking|chatting|writing) (?:to|with)|r u)(?: (?:just|only|really|actually))?(?: an?| the)? ?(?:real |live |actual )?(?:human|person|bot|robot|machine|computer|ai|agent|representative)\b/;

function names(text: string): boolean {
  if (text.search(NAMED) < 0) return false;
  for (const match of text.matchAll(NAMED)) {
    const before = text.slice(0, match.index);
    const after = text.slice(match.index + match[0].length);
    if (!TOPIC_BEFORE.test(before) && !TOPIC_AFTER.test(after) && !REFUSED.test(before)) return true;
  }
  return false;
}

/** Whether somebody asks for a person to take over. */
export function wantsPerson(text: string): boolean {
  if (asksWhoAnswers(text)) return false;
  if (names(text)) return true;
  if (!ANY_ASKED_FOR.test(text)) return false;
  return ASKED_FOR.some((pattern) => {
    const match = pattern.exec(text);
    return match !== null && !REFUSED_VERB.test(text.slice(0, match.index).trimEnd());
  });
}

/** Whether somebody asks if a person or a machine answers. */
export function asksWhoAnswers(text: string): boolean {
  return IDENTITY.test(text);
}
