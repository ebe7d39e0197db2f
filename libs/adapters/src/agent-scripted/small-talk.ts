import { anyOf } from './any-of.js';

const CLOSINGS = [
  /\b(?:good ?bye|bye(?:[- ]bye)?|so long|farewell|cheerio|see (?:you|ya)(?: (?:later|soon|then|tomorrow|around|next \w+))?|take care|have a (?:nice|good|great|lovely) (?:day|one|evening|weekend))[.! ]*$/,
  /^(?:(?:ok|okay|well|thanks|thank you|great|alright|all right)[,.! ]*)*(?:good ?bye|bye)\b/,
  /\bthat(?:'s| is|'ll be| will be| was|s) (?:all|it|everything)(?:[,.!]| ?$| (?:for now|for today|i need(?:ed)?|thanks|thank you|from me|then|folks|, ?thanks)\b)/,
  /\b(?:nothing else|no(?:thing)? more questions?|no further questions?)\b/,
  /^(?:(?:ok|okay|great|perfect|thanks|thank you|thx|cheers|cool|good)[,.! ]+)*(?:i'm |i am |we're |we are |all )?(?:done|finished)(?:[,.! ]+(?:thanks|thank you|here|now|for today))*[.! ]*$/,
];

const ANY_CLOSING = anyOf(...CLOSINGS);

const NOT_CLOSING =
  /\?\s*$|\b(?:say|said|saying|says|don't|do not|not|never|before you|before we)\b.{0,20}\b(?:bye|goodbye|all|it|everything|done)\b|\bis that\b/;

const GREETING =
  /^(?:hi+|hello+|hey+|hiya|howdy|greetings|hallo|yo|good (?:morning|afternoon|evening|day)|morning|evening)\b(?: (?:there|again|everyone|all|team|folks))?[,.! ]*/;
const NOTHING_MORE =
  /^(?:(?:it's|it is|this is|i'm|i am) (?:me|back|here|\w+)(?: \w+)?(?: again)?|how are you(?: doing)?(?: today)?|anyone (?:there|here)|is anyone (?:there|here)|nice to (?:meet|see) you|what's up|again|there)?[,.!? ]*$/;

/** Whether somebody takes leave. */
export function takesLeave(text: string): boolean {
  return !NOT_CLOSING.test(text) && ANY_CLOSING.test(text);
}

/** What a message says beside taking leave. */
export function besidesLeave(text: string): string {
  return CLOSINGS.reduce((rest, pattern) => rest.replace(pattern, ' '), text).trim();
}

/** Whether somebody greets, and whether the message says more than that. */
export function greets(text: string): 'no' | 'only' | 'and more' {
  const match = GREETING.exec(text);
  if (match === null) return 'no';
  return NOTHING_MORE.test(text.slice(match[0].length)) ? 'only' : 'and more';
}

/** Whether a message is a part of the day and nothing else: a greeting, unless that was asked for. */
export function namesPartOnly(text: string): boolean {
  return /^(?:morning|evening)[. ]*$/.test(text);
}

/** Whether a message is thanks and nothing else. */
export function thanksOnly(text: string): boolean {
  return /^(?:(?:ok|okay|great|perfect|super|cool|many|alright)[,.! ]*)*(?:thanks|thank you|thx|cheers|ty)(?: (?:so much|very much|a lot|again|for (?:your|the) help))*[,.! ]*$/.test(
    text,
  );
}

/** Whether somebody asks what can be done here. */
export function asksForHelp(text: string): boolean {
  return /^(?:help|help me|i need help|menu|options|start|can (?:you|someone) help(?: me)?|what can (?:you|i) do(?: here| for me)?)(?: please)?[?.! ]*$/.test(
    text,
  );
}
