import { ARGUMENTS, NAMES } from './tool-call.js';

/** Never in a text for a customer: marks of calls, and calls in the shapes that models are trained on. */
const FOREIGN = new RegExp(
  [
    String.raw`(?:<|&lt;)[|｜/]?[\w:｜]{0,40}(?:tool|function)[_▁-]?(?:calls?|sep|use|responses?|results?|outputs?)|<\/?tools>`,
    String.raw`\[\/?(?:(?:END_)?TOOL_(?:CALLS?|REQUEST|RESULTS?)|AVAILABLE_TOOLS|ARGS)\]|<function=|<\|(?:python_(?:tag|start)|recipient|constrain)\|>`,
    String.raw`\x60{3}\s?(?:tool|function)_|<[\w:｜ ]{0,40}invoke name|\bto=functions\.|"tool_uses"\s*:`,
    String.raw`["'](?:${NAMES.join('|')})["']\s*:\s*["'][^"']{1,80}["']\s*,\s*["'](?:${ARGUMENTS.join('|')})["']\s*:`,
    String.raw`^[ \t*]{0,20}Action:[^\n]{0,200}\n{1,3}[ \t*]{0,20}(?:Action Input|Observation):`,
  ].join('|'),
  'im',
);
/** Matches a call of a tool, not just its name: a model may repeat a tool's answer with all names, in JSON. */
function calling(tools: readonly string[]): RegExp {
  const name = `(?:${tools.join('|')})`;
  return new RegExp(
    [
      String.raw`${name}(?:\(|\W{0,10}\{|[^{}"\n]{0,40}\n?[^{}"\n]{0,10}\{\s{0,10}["'\\]|\W{0,3}\s(?:--\w|\w{1,40}=))`,
      String.raw`[:=[]\s{0,5}\\{0,3}["'][\w.:]{0,40}${name}\\{0,3}["']|["']${name}\\{0,3}["']\s{0,5}:`,
      String.raw`<(?!https?:)[^<>\n]{0,100}${name}|<\w{0,40}(?:name|tool|function|action)\w{0,40}>\s{0,10}[\w.:]{0,40}${name}`,
      String.raw`${name}\W{0,10}\n\s{0,10}\x60{3}`,
      String.raw`^[^\w\n]{0,10}(?:action|tool|function|call|name|recipient)[\w ]{0,20}["'*]{0,3}[:=]\W{0,10}${name}`,
      String.raw`${name}[^\w\n]{0,10}\n[^\w\n]{0,10}\w{1,40}["']?:\s`,
    ].join('|'),
    'im',
  );
}

/** Whether the text contains a call. Tool names are words of no language, so a name next to a mark is a call. */
export function holdsCall(text: string, tools: readonly string[]): boolean {
  const plain = text.replace(/[“”„]/g, '"');
  if (FOREIGN.test(plain)) return true;
  const lower = plain.toLowerCase();
  if (!tools.some((tool) => lower.includes(tool))) return false;
  return calling(tools).test(plain);
}
