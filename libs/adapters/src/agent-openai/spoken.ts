import { looseJson } from './loose-json.js';
import { isObject } from './wire.js';
import { withoutEnd } from './without-end.js';

/** Names of the marks around thoughts. */
export const THOUGHT_WORD =
  '(?:ant|inner)?(?:think|thinking|thoughts?|reason|reasons|reasoning|reflect|reflection|analysis|scratch_?pad|monologue|deliberation|rationale|planning|cot)(?:process)?';
const NAME = `(?:[a-z0-9]{1,40}[_:.-]){0,5}${THOUGHT_WORD}(?:[_:.-][a-z0-9]{1,40}){0,5}`;
/** Marks around thoughts, of every server known to leave them in the text. */
const MARKS = new RegExp(
  [
    String.raw`<(?<closing>\/)?${NAME}(?:\s[^<>=]*=[^<>]*)?>`,
    String.raw`\[(?<bracketed>\/)?(?:THINK|THINKING|THOUGHTS?|REASONING|ANALYSIS)\](?!\()`,
    String.raw`<\|(?:(?<ending>\/|end_(?:of_)?)|start_|begin_(?:of_)?|content_)?${THOUGHT_WORD}(?:_(?:start|begin|(?<end>end)))?\|>`,
    String.raw`◁(?<kimi>\/)?think▷`,
    String.raw`<\|inner_(?:prefix|(?<suffix>suffix))\|>`,
    String.raw`<\|channel>(?:thought|analysis)|(?<channel><channel\|>)`,
    String.raw`(?<part><\|end_message\|>)`,
  ].join('|'),
  'gi',
);
const END_OF_PART = '<|end_message|>';
const KIND = /think|thought|reason|reflect|analysis|scratch_?pad|monologue|deliberation|rationale|planning|cot/i;
const END_TOKEN =
  /(?:<\|[\w-]{1,40}\|>|<｜[^｜<>]{1,40}｜>|(?<!<s>[^<>]{0,40})<\/s>|<(?:eos|pad|unk|end_of_turn)>|\[END FINAL RESPONSE\])$/;

/** Thoughts recognizable only by their words. */
const WORDED = new RegExp(
  [
    String.raw`^\s*Here(?:'s| is| are) my (?:thought process|reasoning(?: steps)?):[\s\S]*?(?:Here(?:'s| is) my response:|\[BEGIN FINAL RESPONSE\])`,
    String.raw`^\s*\x60{3}${THOUGHT_WORD}\s[\s\S]*?(?:\x60{3}|$)`,
    String.raw`^\s*<details type="${THOUGHT_WORD}"[^<>]*>[\s\S]*?(?:<\/details>|$)`,
    String.raw`^\s*Thinking\.\.\.[\s\S]*?\.\.\.done thinking\.`,
    // Not behind `Action:`: an answer after it rests on a result that the model made up.
    String.raw`^\s*Thought:(?:(?!\n[ \t]*Action:)[\s\S])*?\n[ \t]*(?:Final )?(?:Answer|Response):`,
  ].join('|'),
);
/** What some models put around their whole answer. */
const ANSWER =
  /^\s*(?:<(answer|response|final|output|reply|solution|final_answer|final_response)>([\s\S]*?)<\/\1>|<\|(?:begin_of_(?:solution|box)|START_RESPONSE)\|>([\s\S]*?)<\|(?:end_of_(?:solution|box)|END_RESPONSE)\|>)\s*$/i;

const BEFORE_ACTION = /^\s*(?:Thought:[\s\S]*?\n[ \t]*)?Action:/i;
const FINAL_ANSWER = /^final[ _]?answer$/i;

/** The input of a ReAct model's `Final Answer` action; null for other texts. */
function finalAnswer(text: string): string | null {
  if (!/final[ _]?answer/i.test(text)) return null;
  const said = looseJson(text.replace(BEFORE_ACTION, ''));
  if (!isObject(said)) return null;
  const { action, action_input: input } = said;
  return typeof input === 'string' && typeof action === 'string' && FINAL_ANSWER.test(action) ? input : null;
}

/** The marks in a text, except quoted ones, and words in brackets without a later `[/`. */
function* marksIn(text: string): Generator<RegExpExecArray> {
  const lastClosing = text.lastIndexOf('[/');
  for (const mark of text.matchAll(MARKS)) {
    const isQuoted = text.charAt(mark.index - 1) === '`' && text.charAt(mark.index + mark[0].length) === '`';
    const isWord = /^\[[A-Z]?[a-z]/.test(mark[0]) && mark.index > lastClosing;
    if (!isQuoted && !isWord) yield mark;
  }
}

/** A call ends thoughts that are not closed. */
const CALL = /<[|｜]?[\w:｜]{0,20}tool[_▁]?calls?(?:_|▁|[|｜]?>)/;

/** Tracks open marks; a closing mark of another kind closes all. True for any closing mark. */
function follow(open: string[], mark: RegExpExecArray): boolean {
  const name = KIND.exec(mark[0])?.[0].toLowerCase() ?? '';
  const isClosing = Object.values(mark.groups ?? {}).some((closing) => closing !== undefined);
  if (!isClosing && open.at(-1) !== name) open.push(name);
  else if (isClosing && open.at(-1) === name) open.pop();
  else if (isClosing) open.length = 0;
  return isClosing;
}

/** The index after the thoughts with which a text begins: 0 if it begins with none, -1 if they are not closed. */
export function endOfThoughts(text: string): number {
  const open: string[] = [];
  for (const mark of marksIn(text)) {
    if (open.length === 0 && (mark.index > 0 || mark[0] === END_OF_PART)) return 0;
    if (follow(open, mark) && open.length === 0) return mark.index + mark[0].length;
  }
  return open.length === 0 ? 0 : -1;
}

/** Whether thoughts have a closing mark only: until it arrives, the text looks like the reply. */
export function endsThoughtsUnbegun(text: string): boolean {
  const open: string[] = [];
  for (const mark of marksIn(text)) {
    const isFirst = open.length === 0 && mark[0] !== END_OF_PART;
    if (follow(open, mark) && isFirst && text.slice(0, mark.index).trim() !== '') return true;
  }
  return false;
}

/** The text for the customer, without thoughts. Text before a closing mark without an opening one is thoughts too. */
export function spoken(text: string): string {
  let said = '';
  let from = 0;
  const open: string[] = [];
  for (const mark of marksIn(text)) {
    const isOutside = open.length === 0;
    if (mark[0] === END_OF_PART && isOutside) continue;
    if (follow(open, mark)) {
      if (isOutside) said = '';
      from = mark.index + mark[0].length;
    } else if (isOutside) {
      said += text.slice(from, mark.index);
      from = mark.index;
    }
  }
  const behind = text.slice(from);
  const unthought = open.length === 0 ? 0 : behind.search(CALL);
  const rest = (unthought < 0 ? said : said + behind.slice(unthought)).replace(WORDED, '');
  const [whole, , tagged, marked] = ANSWER.exec(rest) ?? [];
  const answer = withoutEnd(whole === undefined ? rest : (tagged ?? marked ?? ''), END_TOKEN);
  return finalAnswer(answer) ?? answer;
}
