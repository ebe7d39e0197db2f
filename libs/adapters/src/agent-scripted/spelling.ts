import { anyOf } from './any-of.js';

/** How people write in haste, and what they mean: only slips that orders and times hang on, and that are no other word. */
const MEANT: readonly (readonly [RegExp, string])[] = [
  [/\bapp?[oi]+[a-z]{0,3}m[ae]?nt(s?)\b/g, 'appointment$1'],
  [/\bappm?t(s?)\b/g, 'appointment$1'],
  [/\btom+or+ow?\b|\btmrw?\b|\b2mor+ow?\b/g, 'tomorrow'],
  [/\b(?:cancle|cancell|cansel|cancal)\b/g, 'cancel'],
  [/\bre-?s(?:ch|h|c)edu(?:al|el|le|l)\b/g, 'reschedule'],
  [/\b(?:comfirm|confrim|conferm)\b/g, 'confirm'],
  [/(?<=\b(?:can|could|would|will) )u\b/g, 'you'],
  [/\bbok\b/g, 'book'],
  [/\bwnat\b/g, 'want'],
  [/\bwanna\b/g, 'want to'],
  [/\b(can|don|won|didn|doesn|isn|couldn|wouldn)t\b/g, "$1't"],
  [/\b(when|what|that|let)s\b/g, "$1's"],
  [/\bi(m|ve)\b/g, "i'$1"],
  [/\bid (?=like|love|prefer|rather)/g, "i'd "],
  [/\b(\d{1,2})ish\b/g, '$1'],
  [/\b(?:tuseday|teusday|tuesay|tusday)\b/g, 'tuesday'],
  [/\b(?:wensday|wendsday|wednsday|wedensday|wendesday)\b/g, 'wednesday'],
  [/\b(?:thrusday|thusday|thurday|thursaday|thersday)\b/g, 'thursday'],
  [/\b(?:firday|fridy|frday)\b/g, 'friday'],
  [/\b(?:saterday|satuday|saturady)\b/g, 'saturday'],
];

/** Most messages have none, which one look tells. */
const ANY_SLIP = anyOf(...MEANT.map(([slip]) => slip));

/** Lower-case text with the slips of haste written as they are meant. */
export function spelledOut(text: string): string {
  return ANY_SLIP.test(text) ? MEANT.reduce((meant, [slip, word]) => meant.replace(slip, word), text) : text;
}
