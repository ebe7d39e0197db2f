const CHANNEL = '<|channel|>';
const MESSAGE = '<|message|>';
/** Harmony's channels where a server has lost the special tokens between them. */
const BARE = /^\s*(?:assistant)?(analysis|commentary|final)(?=[\s\S]*assistant(?:final|commentary))/;
const BARE_NEXT = /assistant(analysis|commentary|final)(?: to=([\w.]+)(?:\s*(?:<\|constrain\|>)?\s*json)?)?/g;

interface Channels {
  /** The text for the customer. */
  readonly words: string;
  /** Tool calls: the recipient of each with what it is sent. */
  readonly calls: string;
}

/** Puts the special tokens back. */
function marked(text: string): string {
  if (text.includes(CHANNEL)) return text;
  if (/^\s*(?:analysis|commentary|final)\b[^\n]{0,80}<\|message\|>/.test(text)) return CHANNEL + text.trimStart();
  if (!BARE.test(text)) return text;
  return text
    .replace(BARE, `${CHANNEL}$1${MESSAGE}`)
    .replace(BARE_NEXT, (_, channel: string, to?: string) => `${CHANNEL}${channel}${to ? ` to=${to}` : ''}${MESSAGE}`);
}

/** Reads the channels of Harmony, in which gpt-oss writes: only the final one is told. Null for a text without channels. */
export function channelsOf(text: string): Channels | null {
  const [before, ...messages] = marked(text).split(CHANNEL);
  if (before === undefined || messages.length === 0) return null;
  let words = '';
  let calls = '';
  for (const message of messages) {
    const at = message.indexOf(MESSAGE);
    const header = at < 0 ? message : message.slice(0, at);
    const body = (at < 0 ? '' : message.slice(at + MESSAGE.length)).replace(/<\|(?:end|return|call|start)\|>[\s\S]*$/, '');
    const to = /to=([\w.:-]+)/.exec(header)?.[1] ?? /<\|start\|>assistant to=([\w.:-]+)/.exec(before)?.[1];
    if (to !== undefined) calls += `${to} ${body}\n`;
    else if (/^\s*final/.test(header)) words += body;
  }
  return { words, calls };
}
