import { NAMES } from './tool-call.js';

/** How many characters are innocent, or what else the text behind a suspicious place says. */
export type Verdict = number | 'wait' | 'over';

/** Where a thought, a call or a token may begin within a text. */
export const SUSPECT = /[<[{`"'“”„&◁]|[\n\r\u2028\u2029][ \t*]*|\bto=/gi;

/** In characters: so much of the text is looked at to judge one place. */
const MAX_LOOK = 300;
const ACTION = 'action:';
const LABELS = [...NAMES, 'tool_uses', 'tool_calls', 'function_call'];

interface Kind {
  readonly innocent: RegExp;
  readonly undecided: RegExp;
}

const NEVER = /(?!)/;
const KINDS: Readonly<Record<string, Kind>> = {
  '<': { innocent: /^<[\d.,]*[\s=!?)]/, undecided: /^<[\d.,]*$/ },
  // Lists of tasks, numbers and links.
  '[': {
    innocent: /^\[(?:[\s\d\]]|x\]|(?!\/|(?:END_)?TOOL_|AVAILABLE_|ARGS|THINK|THOUGHT|REASON|ANALYSIS)[^\][|<>{}\n]{1,200}\]\()/i,
    undecided: /^\[[^\][|<>{}\n]{0,200}\]?$/,
  },
  '&': { innocent: /^&(?!(?:lt?)?$|lt;)/i, undecided: /^&(?:lt?)?$/i },
};

function quoted(rest: string): Verdict {
  const [, label = ''] = /^.(\w*)/.exec(rest) ?? [];
  const behind = rest.slice(1 + label.length);
  const mayBe = LABELS.some((each) => (behind === '' ? each.startsWith(label.toLowerCase()) : each === label.toLowerCase()));
  if (!mayBe) return 1;
  if (/^["'“”„]?\s*$/.test(behind)) return 'wait';
  return /^["'“”„]\s*:/.test(behind) ? 'over' : 1;
}

function fenced(rest: string): Verdict {
  if (/^`{1,2}[^`]/.test(rest)) return 1;
  const [fence = '', word = ''] = /^```\s?([\w+#.-]*)/.exec(rest) ?? [];
  if (fence.length === 0 || fence.length === rest.length) return 'wait';
  return /^(?:tool|function)_/i.test(word) ? 'over' : 3;
}

/** What a model that takes actions writes on a line of its own. */
function atLine(rest: string, head: string): Verdict {
  const line = rest.slice(head.length, head.length + ACTION.length).toLowerCase();
  if (!ACTION.startsWith(line)) return head.length;
  return line === ACTION ? 'over' : 'wait';
}

export function judged(text: string, at: number, head: string): Verdict {
  const rest = text.slice(at, at + MAX_LOOK);
  const first = head.charAt(0);
  if (/\s/.test(first)) return atLine(rest, head);
  if (first === '`') return fenced(rest);
  if (/["'“”„]/.test(first)) return quoted(rest);
  const { innocent, undecided } = KINDS[first] ?? { innocent: NEVER, undecided: NEVER };
  if (innocent.test(rest)) return 1;
  return undecided.test(rest) ? 'wait' : 'over';
}
