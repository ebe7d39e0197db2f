const SOFT = String.raw`hi|hello|hey|please|pls|plz|kindly|yes|yeah|no|ok|okay|well|actually|sorry|unfortunately|sadly|also|just|now|still|rather|then|thanks|thank you|great|perfect|fine|good|right|hereby|really|definitely|simply|exactly|go ahead|for me|wait|hold on|hang on|h+m+|um+|uh|oh|oops|never ?mind`;
const NEED = String.raw`(?:want|wanted|wish|like|love|need|have|prefer|got)(?: you)? to`;
const INTENT = String.raw`(?:i|we)(?:'d| would) (?:prefer|rather|like|love)|(?:i|we)(?:'ll| will) (?:have|need|like) to|(?:i|we) must|(?:i'm|i am|we're|we are) (?:calling|writing|here|trying|asking) to`;
const REQUEST = String.raw`(?:can|could|would|will|may) (?:you|i|we)|would you mind|(?:is it|would it be|be) possible to|let's|let us|let me|help me(?: to)?|(?:how|what) about|if you (?:can|could|would)`;
const LEADING = new RegExp(
  String.raw`(?:(?:^| )(?:${SOFT}|${NEED}|${INTENT}|${REQUEST}|i|we|i'd|we'd|i would|we would|you can|you may)[,!]*)+$`,
);

/** Where a clause begins that can be an order of its own. */
const FRESH = /(?:^|[,:()\u2013\u2014-]|\b(?:and|so|but|then|because|therefore|as well as))$/;
/** A wish in the first person, or a request: it needs no beginning of its own. */
const OUTSPOKEN = new RegExp(
  String.raw`(?<!\b(?:do|did|does|must|should|would|will|might|may|could|can|when|think|sure|said|told) )\b(?:(?:i|we)(?:'d| would)? ${NEED}|${INTENT}|(?:can|could|would|will) you|(?:grateful|glad|great|nice|good|appreciate it|wonder|wondering) if you (?:can|could|would)|please)$`,
);

const ON_CONDITION = String.raw`\bif\b(?! (?:possible|at all|you (?:can|could|would|don't|do not)|i may|need be|(?:that|it)(?:'s| is)? (?:ok|okay|fine|possible|all right|alright|works)))|\bunless\b|\bin case\b`;
const WONDERS = new RegExp(
  String.raw`${ON_CONDITION}|\b(?:how|what)\b(?! about)|\b(?:why|whether|who|when|until|should|might|suppose|never(?! ?mind))\b`,
);
const MUSES = new RegExp(String.raw`${ON_CONDITION}|\b(?:why|should|might|did you|have you|who)\b(?!n't)`);
const DEPENDS = new RegExp(ON_CONDITION);

/** "don't", "no need to" and the like in front of what is refused. */
const REFUSAL =
  /\b(?:don't|do not|didn't|did not|doesn't|not|never|no need to|without|won't|stop)(?: (?:need|want|wish|like|have|to|you|me|please|ever|try|trying|going|think|i|it))*$/;

/** Long enough for what stands before an order, short enough to be read at every place of a long text. */
const REACH = 200;

function leadTo(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - REACH), at);
  return before.slice(before.search(/[^.!?;\n]*$/)).trim();
}

/** Whether the verb at a place of a text may be meant: neither refused nor weighed nor asked back about. */
export function isWelcome(text: string, at: number): boolean {
  const lead = leadTo(text, at);
  return !REFUSAL.test(lead) && !MUSES.test(lead);
}

/** Whether the verb at a place of a text is an order or a polite wish there, not asked about, told of or refused. */
export function isOrdered(text: string, at: number): boolean {
  const lead = leadTo(text, at);
  const [rest = ''] = text.slice(at, at + REACH).split(/[.!?;\n]/, 1);
  if (REFUSAL.test(lead) || WONDERS.test(lead) || DEPENDS.test(rest)) return false;
  return FRESH.test(lead.replace(LEADING, '').trim()) || OUTSPOKEN.test(lead);
}
