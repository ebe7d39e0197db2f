import { ARGUMENTS, NAMES } from './tool-call.js';

/** What no text for a customer holds: the marks of calls, and calls of any tool in the shapes that models are taught. */
const FOREIGN = new RegExp(
  [
    String.raw`<[|｜/]?[\w:｜]*(?:tool|function)[_▁-]?(?:calls?|sep|use)|\[TOOL_(?:CALLS?|REQUEST)\]|\[ARGS\]|<function=|<\|python_tag\|>`,
    String.raw`<[\w:｜]*invoke name|\bto=functions\.|"tool_uses"\s*:`,
    String.raw`["'](?:${NAMES.join('|')})["']\s*:\s*["'][^"']{1,80}["']\s*,\s*["'](?:${ARGUMENTS.join('|')})["']\s*:`,
    String.raw`^[ \t]*Action:[^\n]{0,200}\n{1,3}[ \t]*(?:Action Input|Observation):`,
  ].join('|'),
  'im',
);
/** Text in which a tool is not just named, but called: a model that repeats what a tool said may name all of them, in JSON. */
function calling(tools: readonly string[]): RegExp {
  const name = `(?:${tools.join('|')})`;
  return new RegExp(
    [
      String.raw`${name}(?:\(|\W{0,10}\{|[^{}"\n]{0,40}\n?[^{}"\n]{0,10}\{\s{0,10}["'\\]|\W{0,3}\s(?:--\w|\w{1,40}=))`,
      String.raw`[:=[]\s{0,5}\\{0,3}["'][\w.:]{0,40}${name}\\{0,3}["']|["']${name}\\{0,3}["']\s{0,5}:`,
      String.raw`<[^<>\n]{0,100}${name}`,
      String.raw`^[^\w\n]{0,10}(?:action|tool|function|call|name|recipient)[\w ]{0,20}["'*]{0,3}[:=]\W{0,10}${name}`,
      String.raw`${name}[^\w\n]{0,10}\n[^\w\n]{0,10}\w{1,40}["']?:\s`,
    ].join('|'),
    'im',
  );
}

/** Whether the text holds a call. A tool's name is no word of any language: beside a sign of a call it stands in one. */
export function holdsCall(text: string, tools: readonly string[]): boolean {
  if (FOREIGN.test(text)) return true;
  const lower = text.toLowerCase();
  if (!tools.some((tool) => lower.includes(tool))) return false;
  return calling(tools).test(text);
}
