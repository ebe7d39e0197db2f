/** A chat template's prefix: the beginning of a message, and its author. */
const HEAD =
  /^(?:\s{0,20}(?:<bos>|<\|(?:begin_of_text|assistant)\|>|<(?:\|\w{1,40}\|?|start_of_turn)>\s?(?:assistant|model)\b(?:<\|\w{1,40}\|>)?))+/;
/** The end of a message; what a model writes after it is invented. */
const END =
  /<\|(?:im_end|eo[mt](?:_id)?|end(?:_?of_?(?:text|turn|sentence))?|return)\|>|<｜end▁of▁sentence｜>|<end_of_turn>|<turn\|>|<\/s>\s{0,5}\[INST\]|\[\|endofturn\|\]/;
const PART = /<\|message_model\|>(?:<\|content_text\|>)?/g;
const TOKEN_TAG = /<\|(?:open|(close))\|>([^<>|]{1,200})<\|sep\|>/g;

/** Removes template tokens around the message, and everything after its end. */
export function ownMessage(text: string): string {
  const message = text.replace(HEAD, '');
  const end = message.search(END);
  const own = end > 0 ? message.slice(0, end) : message;
  return own
    .replace(PART, '')
    .replace(TOKEN_TAG, (_, closing: string | undefined, name: string) => `<${closing ? '/' : ''}${name}>`);
}
