import { looseJson } from './loose-json.js';
import { isObject } from './wire.js';
import { withoutEnd } from './without-end.js';

/** What every name of thoughts has in it, as a word of its own. */
const WORD =
  '(?:ant|inner)?(?:think|thinking|thoughts?|reason|reasons|reasoning|reflect|reflection|analysis|scratch_?pad|monologue|deliberation|rationale|planning|cot)(?:process)?';
const NAME = `(?:[a-z0-9]{1,40}[_:.-]){0,5}${WORD}(?:[_:.-][a-z0-9]{1,40}){0,5}`;
/** The marks around a model's thoughts, in the writing of every server that is known to leave them in the text. */
const MARKS = new RegExp(
  [
    String.raw`<(?<closing>\/)?${NAME}(?:\s[^<>=]*=[^<>]*)?>`,
    String.raw`\[(?<bracketed>\/)?(?:THINK|THINKING|THOUGHTS?|REASONING|ANALYSIS)\](?!\()`,
    String.raw`<\|(?:(?<ending>\/|end_(?:of_)?)|start_|begin_(?:of_)?|content_)?${WORD}(?:_(?:start|begin|(?<end>end)))?\|>`,
    String.raw`◁(?<kimi>\/)?think▷`,
    String.raw`<\|inner_(?:prefix|(?<suffix>suffix))\|>`,
    String.raw`<\|channel>(?:thought|analysis)|(?<channel><channel\|>)`,
    String.raw`(?<part><\|end_message\|>)`,
  ].join('|'),
  'gi',
);
const END_OF_PART = '<|end_message|>';
/** The part of a mark's name by which a closing one belongs to an opening one. */
const KIND = /think|thought|reason|reflect|analysis|scratch_?pad|monologue|deliberation|rationale|planning|cot/i;
/** Tokens with which a model ends its answer. */
const END_TOKEN =
  /(?:<\|[\w-]{1,40}\|>|<｜[^｜<>]{1,40}｜>|(?<!<s>[^<>]{0,40})<\/s>|<(?:eos|pad|unk|end_of_turn)>|\[END FINAL RESPONSE\])$/;

/** Thoughts that are told apart by words alone. */
const WORDED = new RegExp(
  [
    String.raw`^\s*Here(?:'s| is| are) my (?:thought process|reasoning(?: steps)?):[\s\S]*?(?:Here(?:'s| is) my response:|\[BEGIN FINAL RESPONSE\])`,
    String.raw`^\s*\x60{3}${WORD}\s[\s\S]*?(?:\x60{3}|$)`,
    String.raw`^\s*<details type="${WORD}"[^<>]*>[\s\S]*?(?:<\/details>|$)`,
    String.raw`^\s*Thinking\.\.\.[\s\S]*?\.\.\.done thinking\.`,
    // An answer behind an action is made up, with the action's result.
    String.raw`^\s*Thought:(?:(?!\n[ \t]*Action:)[\s\S])*?\n[ \t]*(?:Final )?(?:Answer|Response):`,
  ].join('|'),
);
/** What some models put around the whole of what they say. */
const ANSWER =
  /^\s*(?:<(answer|response|final|output|reply|solution|final_answer|final_response)>([\s\S]*?)<\/\1>|<\|(?:begin_of_(?:solution|box)|START_RESPONSE)\|>([\s\S]*?)<\|(?:end_of_(?:solution|box)|END_RESPONSE)\|>)\s*$/i;

/** What stands before an action in JSON. */
const BEFORE_ACTION = /^\s*(?:Thought:[\s\S]*?\n[ \t]*)?Action:/i;
const FINAL_ANSWER = /^final[ _]?answer$/i;

/** The input of the action by which a model that acts only answers; null where the text is another one. */
function finalAnswer(text: string): string | null {
  if (!/final[ _]?answer/i.test(text)) return null;
  const said = looseJson(text.replace(BEFORE_ACTION, ''));
  if (!isObject(said)) return null;
  const { action, action_input: input } = said;
  return typeof input === 'string' && typeof action === 'string' && FINAL_ANSWER.test(action) ? input : null;
}

/** The marks in a text. One in quotes is told, and so is a word in brackets that are no capitals and are not closed. */
function* marksIn(text: string): Generator<RegExpExecArray> {
  const lastClosing = text.lastIndexOf('[/');
  for (const mark of text.matchAll(MARKS)) {
    const isQuoted = text.charAt(mark.index - 1) === '`' && text.charAt(mark.index + mark[0].length) === '`';
    const isWord = /^\[[A-Z]?[a-z]/.test(mark[0]) && mark.index > lastClosing;
    if (!isQuoted && !isWord) yield mark;
  }
}

/** With a call a model ends its thoughts, where it does not close them. */
const CALL = /<[|｜]?[\w:｜]{0,20}tool[_▁]?calls?(?:_|▁|[|｜]?>)/;

/** The text for the customer, without the model's thoughts. What precedes a closing mark without an opening one is thoughts too. */
export function spoken(text: string): string {
  let said = '';
  let from = 0;
  const open: string[] = [];
  for (const mark of marksIn(text)) {
    if (mark[0] === END_OF_PART && open.length === 0) continue;
    const name = KIND.exec(mark[0])?.[0].toLowerCase() ?? '';
    if (Object.values(mark.groups ?? {}).some((closing) => closing !== undefined)) {
      if (open.length === 0) said = '';
      if (open.at(-1) === name) open.pop();
      else open.length = 0;
      from = mark.index + mark[0].length;
    } else {
      if (open.length === 0) {
        said += text.slice(from, mark.index);
        from = mark.index;
      }
      if (open.at(-1) !== name) open.push(name);
    }
  }
  const behind = text.slice(from);
  const unthought = open.length === 0 ? 0 : behind.search(CALL);
  const rest = (unthought < 0 ? said : said + behind.slice(unthought)).replace(WORDED, '');
  const [whole, , tagged, marked] = ANSWER.exec(rest) ?? [];
  const answer = withoutEnd(whole === undefined ? rest : (tagged ?? marked ?? ''), END_TOKEN);
  return finalAnswer(answer) ?? answer;
}
