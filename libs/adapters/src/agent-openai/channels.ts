const CHANNEL = '<|channel|>';
const MESSAGE = '<|message|>';
/** Harmony's channels if a server has dropped the special tokens between them. */
const BARE = /^\s*(?:assistant)?(analysis|commentary|final)(?=[\s\S]*assistant(?:final|commentary))/;
const BARE_NEXT = /assistant(analysis|commentary|final)(?: to=([\w.]+)(?:\s*(?:<\|constrain\|>)?\s*json)?)?/g;

interface Channels {
  readonly words: string;
  /** Tool calls: each recipient with its message. */
  readonly calls: string;
}

function marked(text: string): string {
  if (text.includes(CHANNEL)) return text;
  if (/^\s*(?:analysis|commentary|final)\b[^\n]{0,80}<\|message\|>/.test(text)) return CHANNEL + text.trimStart();
  if (!BARE.test(text)) return text;
  return text
    .replace(BARE, `${CHANNEL}$1${MESSAGE}`)
    .replace(BARE_NEXT, (_, channel: string, to?: string) => `${CHANNEL}${channel}${to ? ` to=${to}` : ''}${MESSAGE}`);
}

/** Reads Harmony's channels, as gpt-oss writes them: only the final one is for the customer. Null for a text without channels. */
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
