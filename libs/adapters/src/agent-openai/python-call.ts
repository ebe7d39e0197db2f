import { endOfJson, looseJson } from './loose-json.js';
import { type ToolCall, toolNamed } from './tool-call.js';

const BEFORE = /(?:\s|<[^<>\n]{1,80}>|\[TOOL_CALLS?\]|```\w*|Action:|\[)*/iy;
const BEHIND = /(?:\s|<[^<>\n]{1,80}>|```|\]|print\(\w{1,40}\))*$/y;
const CALL = /\s*(?:\w{1,40}\s*=\s*)?(?:await\s+)?(print\()?\s*([\w.]+)\(/y;
const KEY = /\s*(\w+)\s*[=:]\s*/y;
const SCALAR = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|-?\d+(?:\.\d+)?|true|false|none|null/iy;
const NEXT = /\s*(?:,|(?=\)))/y;
const END = /\s*\)[ \t]*[;,]?/y;

function valueOf(text: string): unknown {
  const quote = text.charAt(0);
  if (quote === '"' || quote === "'") return text.slice(1, -1).replace(/\\(["'\\])/g, '$1');
  if (/^(?:none|null)$/i.test(text)) return null;
  return /^(?:true|false)$/i.test(text) ? text.toLowerCase() === 'true' : Number(text);
}

class PythonReader {
  private at = 0;

  constructor(
    private readonly text: string,
    private readonly tools: readonly string[],
  ) {}

  calls(): readonly ToolCall[] {
    const calls: ToolCall[] = [];
    this.next(BEFORE);
    while (!this.next(BEHIND)) {
      const call = this.call();
      if (call === null) return [];
      calls.push(call);
    }
    return calls;
  }

  private next(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found) this.at = pattern.lastIndex;
    return found;
  }

  private call(): ToolCall | null {
    const [begun, printed, called = ''] = this.next(CALL) ?? [];
    const name = begun === undefined ? null : toolNamed(called, this.tools);
    if (name === null) return null;
    const args: Record<string, unknown> = {};
    for (let key = this.next(KEY); key; key = this.next(KEY)) {
      args[key[1] ?? ''] = this.value();
      if (!this.next(NEXT)) return null;
    }
    const isEnded = this.next(END) && (printed === undefined || this.next(END));
    return isEnded ? { id: '', name, args } : null;
  }

  /** Undefined if unreadable; reading ends there. */
  private value(): unknown {
    const [scalar] = this.next(SCALAR) ?? [];
    if (scalar !== undefined) return valueOf(scalar);
    const end = /[[{]/.test(this.text.charAt(this.at)) ? endOfJson(this.text, this.at) : -1;
    const value = end < 0 ? undefined : looseJson(this.text.slice(this.at, end));
    if (value !== undefined) this.at = end;
    return value;
  }
}

/** Calls with named arguments, as Gemma and Llama write them; none if the text has anything else. */
export function pythonCalls(text: string, tools: readonly string[]): readonly ToolCall[] {
  return new PythonReader(text, tools).calls();
}
