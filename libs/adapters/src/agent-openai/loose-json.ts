import { withoutEnd } from './without-end.js';

const FENCED = /^```[\w-]*\s([\s\S]*?)```$/;
/** Left by servers after the arguments of a call. */
const LEFT_BEHIND = /(?:<\|[^|<>]{1,40}\|>|<\/[\w-]{1,40}>)$/;

/** Escapes raw control characters in strings, and drops trailing commas. */
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

function withoutExcess(text: string): string {
  const end = /^[{[]/.test(text) ? endOfJson(text, 0) : -1;
  return end > 0 && /^[\s}\]]*$/.test(text.slice(end)) ? text.slice(0, end) : text;
}

/** A Python dictionary, if unambiguous: no double quotes, and single quotes only around strings. */
function fromPython(text: string): string {
  if (!text.includes("'") || text.includes('"')) return text;
  return text
    .split(/('(?:[^'\\]|\\.)*')/)
    .map((part, index) =>
      index % 2 === 1 ? JSON.stringify(part.slice(1, -1)) : part.replace(/\b(?:True|False|None)\b/g, asJson),
    )
    .join('');
}

/** Puts strings marked as by Gemma into quotes. */
function fromMarks(text: string): string {
  const texts = /<\|"\|>([\s\S]*?)<\|"\|>|<escape>([\s\S]*?)<escape>/g;
  return text.replace(texts, (_, marked?: string, escaped?: string) => JSON.stringify(marked ?? escaped));
}

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

/** Parses JSON as models write it: fenced, with raw line breaks, trailing commas, single quotes or bare keys. Undefined if it is none. */
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

/** The end of the object or list that begins at `start`; -1 if it is unclosed. */
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
