const NAMES = 'think|thinking|thoughts?|reason|reasoning|reflection|scratchpad|seed:think|antthinking|inner_monologue';
/** The marks around a model's thoughts, in the writing of every server that is known to leave them in the text. */
const MARKS = new RegExp(
  [
    String.raw`<(?<closing>\/)?(?:${NAMES})(?:\s[^<>]*)?>`,
    String.raw`\[(?<bracketed>\/)?(?:THINK|THINKING|REASONING)\]`,
    String.raw`<\|(?<ending>END_)?(?:START_)?(?:THINKING|THOUGHT|THINK)\|>`,
    String.raw`◁(?<kimi>\/)?think▷`,
    String.raw`<\|(?:begin|(?<end>end))_of_thought\|>`,
    String.raw`<\|inner_(?:prefix|(?<suffix>suffix))\|>`,
    String.raw`<\|channel>(?:thought|analysis)|(?<channel><channel\|>)`,
  ].join('|'),
  'gi',
);
/** Tokens with which a model ends its answer. */
const END_TOKENS = /(?:\s*(?:<\|[\w-]{1,40}\|>|<｜[^｜<>]{1,40}｜>|<\/s>|<end_of_turn>|<eos>))+\s*$/;

/** Thoughts that are told apart by words alone. */
const WORDED = new RegExp(
  [
    String.raw`^\s*Here(?:'s| is) my thought process:[\s\S]*?Here(?:'s| is) my response:`,
    String.raw`^\s*Thinking\.\.\.[\s\S]*?\.\.\.done thinking\.`,
    String.raw`^\s*Thought:[\s\S]*?\n\s*(?:Final )?(?:Answer|Response):`,
  ].join('|'),
);
/** What some models put around the whole of what they say. */
const ANSWER =
  /^\s*(?:<(answer|response|final|output)>([\s\S]*?)<\/\1>|<\|begin_of_solution\|>([\s\S]*?)<\|end_of_solution\|>)\s*$/;

function isQuoted(text: string, start: number, end: number): boolean {
  return text.charAt(start - 1) === '`' && text.charAt(end) === '`';
}

/** The text for the customer, without the model's thoughts. What precedes a closing mark without an opening one is thoughts too. */
export function spoken(text: string): string {
  let said = '';
  let from = 0;
  let isThinking = false;
  for (const mark of text.matchAll(MARKS)) {
    const end = mark.index + mark[0].length;
    if (isQuoted(text, mark.index, end)) continue;
    if (Object.values(mark.groups ?? {}).some((closing) => closing !== undefined)) {
      if (!isThinking) said = '';
      isThinking = false;
      from = end;
    } else if (!isThinking) {
      said += text.slice(from, mark.index);
      isThinking = true;
    }
  }
  const rest = (isThinking ? said : said + text.slice(from)).replace(WORDED, '');
  const [whole, , tagged, marked] = ANSWER.exec(rest) ?? [];
  return (whole === undefined ? rest : (tagged ?? marked ?? '')).replace(END_TOKENS, '');
}
