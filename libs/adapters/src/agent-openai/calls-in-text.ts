import { type Token, tokensOf } from './call-tokens.js';
import { holdsCall } from './holds-call.js';
import { pythonCalls } from './python-call.js';
import { type ToolCall, argsOf, shapeOf, toolNamed } from './tool-call.js';
import { isObject } from './wire.js';

/** Words allowed around a call; only their letters are compared. */
const FILLER =
  /^(?:functions?|functools|tools?|tool_?calls?|call|json|(?:assistant)?(?:commentary|analysis)?|(?:action|tool|function)?_?(?:action|input|arg(?:ument)?s|param(?:eter)?s)|result)?$/i;
/** A name with arguments in brackets that `pythonCalls` could not read, or a name within an address. */
const WITH_ARGUMENTS = /\((?:["'\d-]|\w+[=,)])|\/\w/;
const WRAPPERS = ['tool_calls', 'tool_uses', 'tool_call', 'function_call'];
const THOUGHT_BEFORE_ACTION = /^\s*(?:Question|Thought|Plan|Reflection):[\s\S]*?\n[ \t]*(?=Action:)/i;
/** The result that a model invents for its call. */
const OBSERVATION = /\n[ \t]*Observation:[\s\S]*$/i;
const MAX_CHARACTERS = 32_000;

export function isFiller(word: string): boolean {
  return FILLER.test(word.replace(/[^\p{L}_{[<-]/gu, ''));
}

class CallReader {
  readonly calls: ToolCall[] = [];
  private name: string | null = null;
  private parameters: Record<string, string> | null = null;

  constructor(private readonly tools: readonly string[]) {}

  readAll(tokens: Iterable<Token>): boolean {
    for (const token of tokens) if (!this.take(token)) return false;
    this.flush();
    return this.calls.length > 0;
  }

  private take(token: Token): boolean {
    switch (token.kind) {
      case 'mark':
        return this.mark(token.text);
      case 'word':
        return this.word(token.text);
      case 'json':
        return this.json(token.value);
      case 'parameter':
        return this.parameter(token.name, token.value);
      case 'element':
        return this.element(token.name, token.value);
    }
  }

  private flush(): void {
    const { name, parameters } = this;
    if (name !== null) this.add(name, parameters ?? {});
    this.name = null;
    this.parameters = null;
  }

  private mark(text: string): boolean {
    if (text.startsWith('</')) {
      this.flush();
      return true;
    }
    return this.named(toolNamed(text, this.tools)) || true;
  }

  private word(text: string): boolean {
    return isFiller(text) || (!WITH_ARGUMENTS.test(text) && this.named(toolNamed(text, this.tools)));
  }

  private parameter(name: string, value: string): boolean {
    this.parameters = { ...this.parameters, [name]: value };
    return this.name !== null;
  }

  /** A tag that is a tool's name, contains one, or is an argument of the previous call. */
  private element(tag: string, value: string): boolean {
    if (this.tools.includes(tag)) return value.trim() === '' && this.named(tag);
    return this.name === null ? this.named(toolNamed(value, this.tools)) : this.parameter(tag, value.trim());
  }

  private named(name: string | null): boolean {
    if (name === null) return false;
    this.flush();
    this.name = name;
    return true;
  }

  private json(value: unknown): boolean {
    if (Array.isArray(value)) return value.length > 0 && value.every((each) => this.json(each));
    if (!isObject(value)) return false;
    const wrapper = WRAPPERS.find((each) => typeof value[each] === 'object' && value[each] !== null);
    if (wrapper !== undefined) return this.json(value[wrapper]);
    const call = this.callIn(value);
    if (call === null && this.name !== null) this.add(this.name, value);
    else if (call !== null) this.add(call.name, call.args);
    else return false;
    this.name = null;
    return true;
  }

  private callIn(value: Readonly<Record<string, unknown>>): { readonly name: string; readonly args: unknown } | null {
    const shape = shapeOf(value);
    const named = shape && toolNamed(shape.name, this.tools);
    if (shape && named !== null) return { name: named, args: shape.args };
    // A call of an unknown tool is kept, so that the model learns of it.
    if (shape?.hasArgs && this.name === null) return shape;
    const [[key, args] = ['', null], ...others] = Object.entries(value);
    return others.length === 0 && this.tools.includes(key) ? { name: key, args } : null;
  }

  private add(name: string, args: unknown): void {
    this.calls.push({ id: '', name, args: argsOf(args) });
  }
}

interface TextRead {
  readonly content: string;
  readonly calls: readonly ToolCall[];
  /** The text contains a call that is unreadable or not alone; none of it is shown. */
  readonly isBroken: boolean;
}

function readCalls(text: string, tools: readonly string[]): readonly ToolCall[] {
  if (text.length > MAX_CHARACTERS) return [];
  const bare = text.replace(THOUGHT_BEFORE_ACTION, '');
  const code = /^\s*Action:/i.test(bare) ? bare.replace(OBSERVATION, '') : bare;
  const python = pythonCalls(code, tools);
  if (python.length > 0) return python;
  const reader = new CallReader(tools);
  return reader.readAll(tokensOf(code)) ? reader.calls : [];
}

/** Reads a text that may be tool calls. They run only if they are the whole text, and are never shown. */
export function callsInText(text: string, tools: readonly string[]): TextRead {
  const calls = readCalls(text, tools);
  const isBroken = calls.length === 0 && holdsCall(text, tools);
  return { content: calls.length > 0 || isBroken ? '' : text, calls, isBroken };
}
