import { withoutEnd } from './without-end.js';

const FENCED = /^```[\w-]*\s([\s\S]*?)```$/;
/** What servers leave behind the arguments of a call. */
const LEFT_BEHIND = /(?:<\|[^|<>]{1,40}\|>|<\/[\w-]{1,40}>)$/;

/** Escapes raw control characters within strings, and drops commas before a closing bracket. */
function repaired(text: string): string {
  let isString = false;
  let kept = '';
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (isString && char === '\\') kept += char + text.charAt(++at);
    else if (isString && char < ' ') kept += `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
    else if (!isString && char === ',' && /^\s*[}\]]/.test(text.slice(at + 1, at + 100))) continue;
    else kept += char;
    if (char === '"') isString = !isString;
  }
  return kept;
}

/** The object or list without the brackets that close nothing behind it. */
function withoutExcess(text: string): string {
  const end = /^[{[]/.test(text) ? endOfJson(text, 0) : -1;
  return end > 0 && /^[\s}\]]*$/.test(text.slice(end)) ? text.slice(0, end) : text;
}

/** A dictionary as Python writes it, where that is beyond doubt: without a double quote, and with single ones around texts only. */
function fromPython(text: string): string {
  if (!text.includes("'") || text.includes('"')) return text;
  return text
    .split(/('(?:[^'\\]|\\.)*')/)
    .map((part, index) =>
      index % 2 === 1 ? JSON.stringify(part.slice(1, -1)) : part.replace(/\b(?:True|False|None)\b/g, asJson),
    )
    .join('');
}

/** Texts as Gemma marks them, in quotes. */
function fromMarks(text: string): string {
  const texts = /<\|"\|>([\s\S]*?)<\|"\|>|<escape>([\s\S]*?)<escape>/g;
  return text.replace(texts, (_, marked?: string, escaped?: string) => JSON.stringify(marked ?? escaped));
}

/** An object whose keys have no quotes, as in a script. */
function withQuotedKeys(text: string): string {
  return text
    .split(/("(?:[^"\\]|\\.)*")/)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/([{,]\s{0,20})([A-Za-z_]\w{0,80})(?=\s{0,20}:)/g, '$1"$2"')))
    .join('');
}

function asJson(constant: string): string {
  return constant === 'None' ? 'null' : constant.toLowerCase();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The value of JSON as models write it: fenced, with raw line breaks in strings, with a trailing comma, with single quotes, or
 * with keys that have none. Undefined where it is none.
 */
export function looseJson(text: string): unknown {
  const trimmed = text.trim();
  const bare = withoutEnd(FENCED.exec(trimmed)?.[1] ?? trimmed, LEFT_BEHIND).trim();
  const unmarked = fromMarks(bare);
  return (
    parsed(bare) ??
    parsed(repaired(withoutExcess(unmarked))) ??
    parsed(repaired(fromPython(unmarked))) ??
    parsed(repaired(withQuotedKeys(fromPython(unmarked))))
  );
}

/** Where the object or list that begins at `start` ends; -1 where it does not. */
export function endOfJson(text: string, start: number): number {
  let depth = 0;
  let isString = false;
  for (let at = start; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (isString && char === '\\') at += 1;
    else if (char === '"') isString = !isString;
    else if (!isString && (char === '{' || char === '[')) depth += 1;
    else if (!isString && (char === '}' || char === ']')) depth -= 1;
    if (depth === 0) return at + 1;
  }
  return -1;
}
