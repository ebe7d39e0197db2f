/** What a chat template puts before a message: its beginning, and who writes it. */
const HEAD =
  /^(?:\s{0,20}(?:<bos>|<\|(?:begin_of_text|assistant)\|>|<(?:\|\w{1,40}\|?|start_of_turn)>\s?(?:assistant|model)\b(?:<\|\w{1,40}\|>)?))+/;
/** The end of a message. What a model writes behind it is made up. */
const END =
  /<\|(?:im_end|eo[mt](?:_id)?|end(?:_?of_?(?:text|turn|sentence))?|return)\|>|<｜end▁of▁sentence｜>|<end_of_turn>|<turn\|>|<\/s>\s{0,5}\[INST\]|\[\|endofturn\|\]/;
/** What stands before a part of a message that is told. */
const PART = /<\|message_model\|>(?:<\|content_text\|>)?/g;
/** Tags whose brackets are tokens. */
const TOKEN_TAG = /<\|(?:open|(close))\|>([^<>|]{1,200})<\|sep\|>/g;

/** The message of a model whose server does not stop at its end, or leaves the tokens around it. */
export function ownMessage(text: string): string {
  const message = text.replace(HEAD, '');
  const end = message.search(END);
  const own = end > 0 ? message.slice(0, end) : message;
  return own
    .replace(PART, '')
    .replace(TOKEN_TAG, (_, closing: string | undefined, name: string) => `<${closing ? '/' : ''}${name}>`);
}
