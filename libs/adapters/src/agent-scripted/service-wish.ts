import { AMOUNT } from './durations.js';
import { MONTH_BEGINS, SPEAKS_OF_TIME } from './vocabulary.js';

const DATE_WORD =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|(?:twenty|thirty)[ -](?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth))';
const VISIT = '(?:appointment|booking|reservation|visit|time ?slot|slot|session)';
const STOP = new RegExp(
  String.raw`\b(?:on|at|in|by|from|to|with|please|(?:and|then)(?= (?:please|confirm|then|i|you|we|can|could|let|also|cancel|move|book|make|it|on|at))|then(?= ?(?:$|[,.;!?]))|or|but|if|as|because|since|due|sorry|tomorrow|today|tonight|next|last|every|each|again|not|before(?=\s)|after(?=\s)|between|until|instead|the|of (?:the|${MONTH_BEGINS}\w*)|this|that|is|are|for|around|about|day after|(?:mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)(?= (?:\d|at|the|next|morning|afternoon|evening|noon)|$)|a week|\d+ (?:days?|weeks?)|(?:one|two|three|four) (?:days?|weeks?)|asap|soon(?:est)?|earliest|latest|sometime|anytime|any|i|we|me|us|can|could|would|preferably)\b|[,.;:!?"()\n]`,
);
const FILLER =
  /^(?:(?:(?:all|both|each|every)(?: of)?|an?|the|my|our|another|some|new|next|first|quick|short|long|early|late|earlier|later|different|same|free|available|regular|normal|follow-?up|single|one)\s+)+/;
const NO_SERVICE = new RegExp(
  `^(?:${VISIT}s?|all|both|everything|one|off|now|me|us|it|that|this|one|him|her|them|in|up|something|anything|time|while|bit|change|couple|few|day|days|week|weeks|months?|years?|hours?|minutes?|moment|friend|people|persons?|colleagues?|child|kids?|adults?|(?:party|group|team)(?: of.*)?|(?:half|quarter)(?: of.*)?|(?:couple of |few |full |whole |good |half )+(?:minutes?|hours?|days?|weeks?|while)|morning|afternoon|evening|noon|now|later|you|myself|two|three|four|my|the|an?|${DATE_WORD})$`,
);

/** "Our son needs a cleaning appointment": the name begins after the last of them. */
const ARTICLE = String.raw`(?<!\band )(?:an?|the|my|our|another|some) `;

/** A letter of "Friday, 10:30 a.m.", whose points and commas end no sentence. */
const IN_A_TIME = String.raw`[^,.;:!?\n]|(?<=\d)[.:](?=\d)|,(?= (?:at )?(?:\d|${MONTH_BEGINS}))|(?<=\b[ap])\.(?=m\b)|(?<=\b[ap]\.m)\.`;
const TIME_ENDS = String.raw`(?:\d(?:st|nd|rd|th| ?[ap]m| ?[ap]\.m\.?| ?o'clock)?|noon|morning|afternoon|evening|today|tomorrow|day)`;

/** The patterns and what they capture, most telling first. */
const NAMED = [
  new RegExp(
    String.raw`\b(?:an?|the|my|our|another|book|schedule|reserve|need|want|some) ((?:(?!${ARTICLE})[\w'-]+ ){1,4}?)${VISIT}\b`,
  ),
  new RegExp(`\\b${VISIT} for (?:an?|the|my|some)? ?([a-z][^,.;:!?]*)`),
  /\b(?:book|schedule|reserve|arrange) (?:(?:me|us) )?(?:in )?(?:for )?((?:an?|the|my|another|some) [a-z][^,.;:!?]*)/,
  /\b(?:book|schedule|reserve) (?:me|us) (?:in )?(?:for )?([a-z][^,.;:!?]*)/,
  /\b(?:book|schedule|reserve) ([a-z][^,.;:!?]*)/,
  /\b(?:need|want|prefer|like|rather have) (?:an?|the) ([a-z][^,.;:!?]*)/,
  /\bin for (?:an?|the|my|some) ([a-z][^,.;:!?]*)/,
  /^(?:for )?(?:an?|the|my) ([a-z][^,.;:!?]*)/,
  new RegExp(
    String.raw`\b(?:book|schedule|reserve) (?:${IN_A_TIME}){0,160}${TIME_ENDS},? for (?:an?|some) (?!reasons?\b)([a-z][^,.;:!?]*)`,
  ),
];
/** What an order about something booked is about. */
const OBJECT = new RegExp(
  String.raw`\b(?:cancel|cancell?ing|move|moving|reschedule|rescheduling|postpone|push|shift|switch|change|confirm|confirming) (?:(?:my|the|our|this|that) )?(?!(?:it|them|back|up|forward|out|an?)\b|(?<=\b(?:postpone|push) )(?:${AMOUNT}) (?:minute|hour|day|week)s?\b(?! (?!please\b|later\b|earlier\b)[a-z]))([a-z][^,.;:!?\n]*)`,
);
const BOOKED = '(?:scheduled|booked|existing|planned|usual|weekly|monthly|yearly|annual)';
const NEXT = new RegExp(String.raw`\b(?:my|our) next (?:${BOOKED} )?((?:(?!and\b|or\b)[\w'-]+ ){0,2}?)${VISIT}\b`);
const LONGEST = 60;

function trimmed(captured: string): string | null {
  const start = captured.replace(FILLER, '');
  const [stop] = [STOP, SPEAKS_OF_TIME]
    .map((pattern) => start.search(pattern))
    .filter((at) => at >= 0)
    .toSorted((a, b) => a - b);
  const words = start.slice(0, stop).trim().replace(FILLER, '').replace(/'s$/, '');
  if (words === '' || words.length > LONGEST || NO_SERVICE.test(words)) return null;
  if (/\d/.test(words) || words.split(' ').length > 4) return null;
  return words;
}

/** The service a wish to book names, if it names one. */
export function serviceNamed(text: string): string | null {
  for (const pattern of NAMED) {
    const captured = pattern.exec(text)?.[1];
    const service = captured === undefined ? null : trimmed(captured);
    if (service !== null) return service;
  }
  return null;
}

/** What an order to cancel, move or confirm calls by a name, if it does. */
export function objectNamed(text: string): string | null {
  const captured = OBJECT.exec(text)?.[1];
  return captured === undefined ? null : trimmed(captured.replace(new RegExp(`\\b${VISIT}s?\\b.*`), ''));
}

/** What the next visit is for that somebody speaks of: "my next massage appointment". */
export function nextVisitNamed(text: string): string | null {
  const captured = NEXT.exec(text)?.[1];
  return captured === undefined ? null : trimmed(captured);
}
