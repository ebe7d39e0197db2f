import { isFiller } from './calls-in-text.js';
import { THOUGHT_WORD } from './spoken.js';
import { judged } from './suspects.js';

type Beginning = 'words' | 'wait' | 'over';

/** In characters. What is undecided by then stays so until the text is complete. */
const MAX_UNDECIDED = 1_000;
const MY_THOUGHTS = ["here's my ", 'here is my ', 'here are my '].flatMap((here) => [`${here}thought`, `${here}reasoning`]);
/** Thoughts, actions and calls known only by how they begin, in any case, maybe in bold. */
const OPENINGS = [...MY_THOUGHTS, 'thinking...', 'question:', 'thought:', 'plan:', 'reflection:', 'action:', 'to='];
/** Harmony's channels whose tokens were lost. */
const CHANNELS = ['analysis', 'commentary', 'final', 'assistantanalysis', 'assistantcommentary', 'assistantfinal'];
const ARGUMENTS = ['action', 'input', 'args', 'arguments', 'params', 'parameters'];
const FOR_ARGUMENTS = ['', 'action', 'tool', 'function'].flatMap((kind) =>
  ARGUMENTS.flatMap((each) => [kind + each, `${kind}_${each}`]),
);
/** Words that stand before a call. Their beginnings count too, as more of them may follow. */
const BEFORE_CALL =
  `functions functools tools tool_calls toolcalls calls json results name recipient python await print default_api
  commentary analysis assistantcommentary assistantanalysis`
    .split(/\s+/)
    .concat(FOR_ARGUMENTS);
const THOUGHT_FENCE = new RegExp(String.raw`^\x60{3}${THOUGHT_WORD}`, 'i');
const UNFINISHED_MARK = /^<[^<>\n]{0,80}$|^\[\/?[A-Za-z]{0,20}$|^◁[^▷]{0,20}$/;
const LINK_OR_TASK = /^\[(?:[^\]]*\]\(|[ x]\]\s)/i;

/** A list may be one of calls. */
function bracketed(rest: string): Beginning {
  return /^\[[ x]?\]?$/i.test(rest) ? 'wait' : 'over';
}

function beginsWithAny(text: string, openings: readonly string[]): Beginning {
  if (openings.some((opening) => text.startsWith(opening))) return 'over';
  return openings.some((opening) => opening.startsWith(text)) ? 'wait' : 'words';
}

/** A run of characters without white space. The last one may go on. */
function wordBegins(word: string, isLast: boolean, tools: readonly string[]): Beginning {
  const lower = word.toLowerCase();
  if (tools.some((tool) => lower.includes(tool))) return 'over';
  if (isFiller(word)) return 'wait';
  const parts = lower.split(/[^\p{L}_]+/u);
  const names = isLast ? tools : [];
  const isCall = parts.every((part, index) => {
    const known = index === parts.length - 1 ? [...BEFORE_CALL, ...names] : BEFORE_CALL;
    return known.some((each) => each.startsWith(part));
  });
  return isCall ? 'wait' : 'words';
}

function marked(rest: string): { readonly beginning: Beginning; readonly length: number } {
  const verdict = judged(rest, 0, rest.charAt(0));
  if (verdict === 'wait') return { beginning: 'wait', length: 0 };
  if (verdict === 'over') return { beginning: UNFINISHED_MARK.test(rest) ? 'wait' : 'over', length: 0 };
  if (rest.startsWith('[')) return { beginning: LINK_OR_TASK.test(rest) ? 'words' : bracketed(rest), length: 0 };
  const [fence] = /^```\s?[\w+#.-]*/.exec(rest) ?? [];
  if (fence !== undefined) return { beginning: THOUGHT_FENCE.test(rest) ? 'over' : 'wait', length: fence.length };
  return { beginning: 'wait', length: 1 };
}

/**
 * How a text that is still being written begins, after white space and thoughts: with words for the customer, with what is not to be
 * said, or with what may still become either.
 */
export function howItBegins(text: string, tools: readonly string[]): Beginning {
  if (text.length > MAX_UNDECIDED) return 'over';
  const openings = [beginsWithAny(text.toLowerCase().replace(/^[\s*]+/, ''), OPENINGS), beginsWithAny(text, CHANNELS)];
  for (const each of ['over', 'wait'] as const) if (openings.includes(each)) return each;
  for (let at = 0; at < text.length;) {
    const rest = text.slice(at);
    if (/^[\s\0]/.test(rest)) {
      at += 1;
      continue;
    }
    const [word] = /^[^\s{[<`◁]+/.exec(rest) ?? [];
    const found =
      word === undefined
        ? marked(rest)
        : { beginning: wordBegins(word, word.length === rest.length, tools), length: word.length };
    if (found.beginning !== 'wait' || found.length === 0) return found.beginning;
    at += found.length;
  }
  return 'wait';
}
